import SwiftletEngine
import SwiftletSchema

/// WHERE: the coordinates of all nonzero elements, in order.
///
/// - Shapes: condition of rank 1 or more; output `[count, rank]`, whose count depends on the values.
/// - Types: condition bool, float32, int8, uint8, int32, uint32, or int64; output int64.
/// - Throws: An error in a run if the condition has changed since its elements were counted.
/// - Source: operator 109 of the model format.
struct WhereOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .whereNonzero, versions: 1...2,
      types: .one(TypeSet([.bool, .float32, .int8, .uint8, .int32, .uint32, .int64]), to: .int64))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 1...1) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let condition = try node.input(0)
    guard condition.shape.rank >= 1 else { throw node.invalid("condition \(condition) must have at least one axis") }
    let bytes = try node.data(0)
    var count = 0
    if let start = bytes.baseAddress {
      let elements = min(condition.shape.elementCount, bytes.count / max(1, condition.elementType.byteWidth ?? 1))
      forEachNonzero(start, 0..<elements, condition) { _ in
        count += 1
        return true
      }
    }
    return [[count, condition.shape.rank]]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let condition = try context.node.input(0)
    let (source, output) = (try context.inputSlot(0), try context.outputSlot(0))
    let (shape, location) = (condition.shape, context.node.node.location)
    let rows = try context.node.output(0).shape[0]
    let count = shape.elementCount
    guard count > 0 else { return .empty }
    // The number of rows written so far, passed from one stage to the next.
    let written = try context.scratch(bytes: MemoryLayout<Int>.size)
    let cost = 1 + Double(rows) / Double(count) * Double(4 * shape.rank)
    return PreparedOperator(
      stages: PreparedOperator.Stage.inOrder(items: count, cost: cost) { run, _, elements in
        let progress = run.pointer(written, as: Int.self)
        var row = elements.lowerBound == 0 ? 0 : progress.pointee
        var isFull = false
        forEachNonzero(run.pointer(source), elements, condition) { position in
          guard row < rows else {
            isFull = true
            return false
          }
          let target = run.pointer(output, as: Int64.self) + row &* shape.rank
          var rest = position
          for axis in stride(from: shape.rank - 1, through: 0, by: -1) {
            target[axis] = Int64(rest % shape[axis])
            rest /= shape[axis]
          }
          row &+= 1
          return true
        }
        guard !isFull, elements.upperBound < count || row == rows else {
          throw RuntimeError.changed("the condition", at: location)
        }
        progress.pointee = row
      })
  }

  /// Calls `body` with the position of every nonzero element, until it returns `false`.
  private func forEachNonzero(_ start: UnsafeRawPointer, _ range: Range<Int>, _ spec: TensorSpec, _ body: (Int) -> Bool)
  {
    switch spec.elementType {
    case .float32: forEach(Float.self, start, range, body)
    case .int32, .uint32: forEach(Int32.self, start, range, body)
    case .int64: forEach(Int64.self, start, range, body)
    default: forEach(UInt8.self, start, range, body)
    }
  }

  private func forEach<Element: Numeric & BitwiseCopyable>(
    _ type: Element.Type, _ start: UnsafeRawPointer, _ range: Range<Int>, _ body: (Int) -> Bool
  ) {
    let elements = start.assumingMemoryBound(to: type)
    for position in range where elements[position] != 0 {
      guard body(position) else { return }
    }
  }
}

extension RuntimeError {
  /// Returns the error for memory that was allocated for other values than those in the run.
  static func changed(_ what: String, at location: Location) -> RuntimeError {
    RuntimeError(
      .invalidInput,
      "\(what) has changed since the shape of the output was inferred; assign it before the node that reads it, not in between",
      location: location)
  }
}

/// Index vectors, each of which selects a slice of a tensor by its leading axes.
struct IndexVectors: Sendable {
  /// The length of a vector.
  let depth: Int
  /// The size of a selected slice in bytes.
  let bytes: Int
  private let indices: IndexTensor
  private let sizes: [Int]
  private let strides: [Int]
  private let location: RuntimeError.Location

  /// Creates index vectors.
  ///
  /// - Parameters:
  ///   - input: The index of the input with the contiguous vectors.
  ///   - data: The shape of the tensor, with at least `depth` axes.
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

  /// Returns the byte offset of the slice that vector `vector` selects.
  ///
  /// - Throws: An error if the slice is outside the tensor.
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
