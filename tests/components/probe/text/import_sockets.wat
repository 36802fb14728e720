;; Wants the network.
(component (import "wasi:sockets/tcp@0.2.6" (instance)))
