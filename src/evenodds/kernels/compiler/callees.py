"""Compilation of functions that only kernels call.

Numba makes machine code of every function, and once more where it is part of a kernel. Of these
functions the kernels' copies are all that is ever called, so they are lowered and nothing else: the
kernel optimises what it links. That takes a fifth off the compilation of a study.
"""

# mypy: allow-untyped-calls

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.untyped_passes import IRProcessing


class CalleeLibrary(JITCodeLibrary):
    """The code of a function for kernels to link, without machine code of its own."""

    @property
    def codegen(self) -> Any:
        """Itself: the real one would set an environment in machine code, of which there is none."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing to do: `set_environments` does it in the kernel."""

    def get_pointer_to_function(self, name: str) -> int:
        """No address."""
        self._ensure_finalized()
        return 0

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=True)
class UseCalleeLibrary(AnalysisPass):
    """Lets a function be lowered into a `CalleeLibrary`."""

    _name = "use_callee_library"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Set the library; nothing of the function is changed."""
        state.library = CalleeLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return False


class CalleeCompiler(CompilerBase):
    """Numba's usual passes, with a `CalleeLibrary`."""

    def define_pipelines(self) -> list[Any]:
        """The passes."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(UseCalleeLibrary, IRProcessing)
        passes.finalize()
        return [passes]


def set_environments(compiled: Any) -> None:
    """Set the environments of the functions that a compiled kernel has linked."""
    if not isinstance(compiled.library, CalleeLibrary):
        for environment in compiled._find_referenced_environments():
            compiled.codegen.set_env(environment.env_name, environment)
