;; Offers tools without the functions that tools have.
(component
  (instance $nothing)
  (export "ensemble:tools/tools@0.1.0" (instance $nothing)))
