"""Makes one tiny model per operator, type and option, and the tensors the reference kernels give for it."""
