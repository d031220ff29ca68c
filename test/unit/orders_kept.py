"""Weaker memory orders that the model does not find, each with the reason why the source keeps its own.

File; a text of the line; the weaker orders ("unused": no case comes there); why.
"""

KEPT = []
