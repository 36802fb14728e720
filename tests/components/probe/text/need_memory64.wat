;; Wants memory with long addresses.
(component
  (core module $m (memory i64 1))
  (core instance (instantiate $m))
  (instance $nothing)
  (export "ensemble:tools/tools@0.1.0" (instance $nothing)))
