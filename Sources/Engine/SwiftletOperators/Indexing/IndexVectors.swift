import SwiftletEngine

/// Index vectors, each of which names a part of a tensor by its leading axes.
struct IndexVectors: Sendable {
  /// The length of a vector.
  let depth: Int
  /// The size of the part that a vector names.
  let bytes: Int
  private let indices: IndexTensor
  private let sizes: [Int]
  private let strides: [Int]
  private let location: RuntimeError.Location

  /// - Parameters:
  ///   - input: the input that holds the vectors, one behind the other.
  ///   - data: the shape of the tensor; at least `depth` axes.
  init(input: Int, data: Shape, depth: Int, elementBytes: Int, _ context: PrepareContext) throws {
    guard depth >= 0, depth <= data.rank else {
      throw context.node.invalid(
        "index vectors of \(depth) elements are longer than a tensor of shape \(data) has axes")
    }
    indices = try IndexTensor(input: input, context)
    self.depth = depth
    sizes = Array(data.dimensions.prefix(depth))
    strides = data.strides.prefix(depth).map { $0 &* elementBytes }
    bytes = data.elementCount(depth..<data.rank) &* elementBytes
    location = context.node.node.location
  }

  /// The byte at which the part that vector `vector` names begins.
  ///
  /// - Throws: when it lies outside.
  func offset(of vector: Int, _ run: RunContext) throws -> Int {
    let values = indices.values(run)
    var offset = 0
    for axis in 0..<depth {
      let position = vector &* depth &+ axis
      let index = values[position]
      guard index >= 0, index < sizes[axis] else {
        throw RuntimeError.index(index, position: position, size: sizes[axis], at: location)
      }
      offset &+= index &* strides[axis]
    }
    return offset
  }
}
