extension Tensor {
  /// The sizes of a tensor's dimensions, outermost first.
  public struct Shape: Equatable, Hashable, Sendable, ExpressibleByArrayLiteral {
    /// How many dimensions there are.
    public let rank: Int
    /// Their sizes.
    public let dimensions: [Int]

    /// A shape of these sizes.
    public init(_ dimensions: [Int]) {
      rank = dimensions.count
      self.dimensions = dimensions
    }

    /// A shape of these sizes.
    public init(_ elements: Int...) { self.init(elements) }

    /// A shape of these sizes.
    public init(arrayLiteral: Int...) { self.init(arrayLiteral) }
  }
}
