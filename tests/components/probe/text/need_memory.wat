;; Begins with four gigabytes of memory.
(component
  (core module $m (memory 65536))
  (core instance (instantiate $m))
  (instance $nothing)
  (export "ensemble:tools/tools@0.1.0" (instance $nothing)))
