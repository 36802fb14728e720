;; Wants to ask servers itself.
(component (import "wasi:http/outgoing-handler@0.2.6" (instance)))
