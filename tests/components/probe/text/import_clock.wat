;; Wants a clock, which it does not declare.
(component (import "wasi:clocks/wall-clock@0.2.6" (instance)))
