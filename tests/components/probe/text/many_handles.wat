;; Asks for a million handles and gives none back.
(module
  (import "wasi:cli/stdout@0.2.6" "get-stdout" (func $take (result i32)))
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) i32.const 4096)
  (func (export "ensemble:tools/tools@0.1.0#list-tools") (result i32) unreachable)
  (func (export "ensemble:tools/tools@0.1.0#call") (param i32 i32 i32 i32 i32 i32 i32 i32 i32) (result i32)
    (local $left i32)
    (local.set $left (i32.const 1000000))
    (loop $more
      (drop (call $take))
      (local.set $left (i32.sub (local.get $left) (i32.const 1)))
      (br_if $more (local.get $left)))
    unreachable))
