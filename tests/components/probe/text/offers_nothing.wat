;; Has nothing to call.
(component)
