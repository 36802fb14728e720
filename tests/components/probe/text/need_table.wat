;; Begins with nine million entries.
(component
  (core module $m (table 9000000 funcref))
  (core instance (instantiate $m))
  (instance $nothing)
  (export "ensemble:tools/tools@0.1.0" (instance $nothing)))
