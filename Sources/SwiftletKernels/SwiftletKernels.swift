// SwiftletKernels
