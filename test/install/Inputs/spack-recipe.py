"""Calls the methods of the Spack recipe, with a stand-in for the parts of Spack that it uses."""

import importlib.util
import os
import pathlib
import shutil
import sys
import types

recipe, archive, prefix = map(pathlib.Path, sys.argv[1:])


class Prefix(str):
    """A folder whose attributes are the folders in it, as Spack's."""

    def __getattr__(self, name):
        return Prefix(os.path.join(self, name))


class Spec(set):
    """The variants that are on."""

    def satisfies(self, variant):
        return variant in self


class Environment(list):
    """What is done to variables."""

    def set(self, *pair):
        self.append(("set", *pair))

    def prepend_path(self, *pair):
        self.append(("prepend", *pair))


class Package:
    """The base class of recipes."""

    def __init__(self, *variants):
        self.spec = Spec(variants)
        self.prefix = Prefix(prefix)


directives = []
generic = types.ModuleType("spack_repo.builtin.build_systems.generic")
generic.Package = Package
package = types.ModuleType("spack.package")
for name in ("version", "variant", "license", "requires", "depends_on"):
    setattr(
        package,
        name,
        lambda *words, _name=name, **options: directives.append((_name, *words)),
    )
package.EnvironmentModifications = Environment
package.install_tree = lambda source, target, symlinks: shutil.copytree(source, target, symlinks=symlinks)
package.find_libraries = lambda name, root, shared: list(pathlib.Path(root).glob(name + ".so"))
package.find_headers = lambda name, root: list(pathlib.Path(root).glob(name + ".h"))
for module in (generic, package):
    parts = module.__name__.split(".")
    for depth in range(1, len(parts)):
        sys.modules.setdefault(".".join(parts[:depth]), types.ModuleType(".".join(parts[:depth])))
    sys.modules[module.__name__] = module

spec = importlib.util.spec_from_file_location("locus_recipe", recipe)
locus = importlib.util.module_from_spec(spec)
spec.loader.exec_module(locus)

assert ("version", "1.0.0") in directives, directives
assert locus.Locus.homepage.startswith("https://"), "Spack's audit wants a homepage"
for variants, flavour in (((), "runtime"), (("+clang",), "clang")):
    url = locus.Locus(*variants).url_for_version("1.0.0")
    assert url == f"file://{os.getcwd()}/locus-{flavour}-1.0.0-linux-x86_64.tar.gz", url
installed = locus.Locus()
os.chdir(archive)
installed.install(installed.spec, installed.prefix)
for file in installed.sanity_check_is_file:
    assert (prefix / file).is_file(), file
assert (prefix / "lib/compat/libgomp.so.1").is_symlink()
assert len(installed.libs) == 1 and len(installed.headers) == 1
environment = Environment()
installed.setup_run_environment(environment)
for _, name, value in environment:
    assert os.path.isdir(value), (name, value)
print("variables:", *sorted(name for _, name, _ in environment))
