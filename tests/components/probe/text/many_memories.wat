;; Three memories of 30 MiB, of which each is less than a plugin may have.
(module
  (memory (export "memory") 480)
  (memory 480)
  (memory 480)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) i32.const 4096)
  (func (export "ensemble:tools/tools@0.1.0#list-tools") (result i32) unreachable)
  (func (export "ensemble:tools/tools@0.1.0#call") (param i32 i32 i32 i32 i32 i32 i32 i32 i32) (result i32) unreachable))
