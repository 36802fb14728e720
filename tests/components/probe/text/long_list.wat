;; Answers with a list of 16 million tools, which lies far outside its memory.
(module
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) i32.const 4096)
  (data (i32.const 64) "\00\00\00\00\00\01\00\00\00\00\00\01")
  (func (export "ensemble:tools/tools@0.1.0#list-tools") (result i32) i32.const 64)
  (func (export "ensemble:tools/tools@0.1.0#call") (param i32 i32 i32 i32 i32 i32 i32 i32 i32) (result i32) unreachable))
