;; Wants memory that threads share.
(component
  (core module $m (memory 1 1 shared))
  (core instance (instantiate $m))
  (instance $nothing)
  (export "ensemble:tools/tools@0.1.0" (instance $nothing)))
