;; Has the arguments put where there is no memory.
(module
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) i32.const -16)
  (func (export "ensemble:tools/tools@0.1.0#list-tools") (result i32) unreachable)
  (func (export "ensemble:tools/tools@0.1.0#call") (param i32 i32 i32 i32 i32 i32 i32 i32 i32) (result i32) unreachable))
