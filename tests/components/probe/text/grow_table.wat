;; Takes entries of a table until there are no more.
(module
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) i32.const 4096)
  (table $entries 1 funcref)
  (func (export "ensemble:tools/tools@0.1.0#list-tools") (result i32) unreachable)
  (func (export "ensemble:tools/tools@0.1.0#call") (param i32 i32 i32 i32 i32 i32 i32 i32 i32) (result i32)
    (loop $more
      (drop (table.grow $entries (ref.null func) (i32.const 1000)))
      (br $more))
    unreachable))
