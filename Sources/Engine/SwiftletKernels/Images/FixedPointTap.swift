/// Two pixels of a line and their weights, in units of 1/2048. Kernels receive arrays of it.
package struct FixedPointTap: Sendable, BitwiseCopyable {
  package let index0: Int
  package let index1: Int
  package let weight0: Int32
  package let weight1: Int32

  package init(index0: Int, index1: Int, weight0: Int32, weight1: Int32) {
    (self.index0, self.index1, self.weight0, self.weight1) = (index0, index1, weight0, weight1)
  }
}
