;; Wants randomness, which it does not declare.
(component (import "wasi:random/random@0.2.6" (instance)))
