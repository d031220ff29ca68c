"""Prints the Laplace matrix of spmv -n SIDE in MatrixMarket format; SYMMETRY is general or symmetric."""

import sys

side, symmetry = int(sys.argv[1]), sys.argv[2]
entries = []
for row in range(side):
    for column in range(side):
        cell = row * side + column + 1
        diagonal = 4
        for neighbour, inside in (
            (cell - side, row > 0),
            (cell - 1, column > 0),
            (cell + 1, column + 1 < side),
            (cell + side, row + 1 < side),
        ):
            if not inside:
                diagonal += 1
            elif symmetry == "general" or neighbour < cell:
                entries.append((cell, neighbour, "-1.0e0"))
        entries.append((cell, cell, diagonal))
print(f"%%MatrixMarket matrix coordinate real {symmetry}\n% a comment\n\n{side**2} {side**2} {len(entries)}")
for entry in entries:
    print(*entry)
