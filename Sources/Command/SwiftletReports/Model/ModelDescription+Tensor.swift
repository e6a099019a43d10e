extension ModelDescription {
  /// One tensor of a graph: what it is, not what it holds.
  package struct Tensor: Sendable {
    package enum Role: String, Sendable {
      case computed, constant, variable
    }

    package var name: String
    /// `float32`.
    package var type: String
    package var shape: [Int]
    /// The shape with -1 for sizes that only a run knows, where there are any.
    package var signature: [Int]?
    package var role: Role
    /// The bytes of a tensor of this shape, or those stored for a constant; `nil` for types without a fixed size.
    package var byteCount: Int?
    package var quantization: Quantization?
    /// The values of a constant of few numbers.
    package var values: String?
    /// What else there is to know, such as how a sparse constant is stored.
    package var note: String?

    /// `real = scale × (stored - zero point)`, summarised where every channel has a scale of its own.
    package struct Quantization: Sendable, Hashable {
      package var channelCount: Int
      package var axis: Int
      package var smallestScale: Float
      package var medianScale: Float
      package var largestScale: Float
      package var smallestZeroPoint: Int
      package var largestZeroPoint: Int

      package init(
        channelCount: Int, axis: Int, smallestScale: Float, medianScale: Float, largestScale: Float,
        smallestZeroPoint: Int,
        largestZeroPoint: Int
      ) {
        self.channelCount = channelCount
        self.axis = axis
        self.smallestScale = smallestScale
        self.medianScale = medianScale
        self.largestScale = largestScale
        self.smallestZeroPoint = smallestZeroPoint
        self.largestZeroPoint = largestZeroPoint
      }

      /// - Parameters:
      ///   - scales: at least one; as many as zero points.
      package init?(scales: [Float], zeroPoints: [Int], axis: Int) {
        let sorted = scales.sorted()
        guard let smallest = sorted.first, let largest = sorted.last else { return nil }
        self.init(
          channelCount: scales.count, axis: axis, smallestScale: smallest, medianScale: sorted[sorted.count / 2],
          largestScale: largest,
          smallestZeroPoint: zeroPoints.min() ?? 0, largestZeroPoint: zeroPoints.max() ?? 0)
      }
    }

    package init(name: String, type: String, shape: [Int], role: Role = .computed, byteCount: Int? = nil) {
      self.name = name
      self.type = type
      self.shape = shape
      self.role = role
      self.byteCount = byteCount
    }
  }
}
