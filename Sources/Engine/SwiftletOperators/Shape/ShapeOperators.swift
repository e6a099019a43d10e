import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// SHAPE: the input's dimensions as a vector.
///
/// - Types: input of any type; output int32 or int64.
/// - Source: operator 77 of the model format.
struct ShapeOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.shape, versions: 1...1, types: .one(.any, to: [.int32, .int64]))
  }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    try node.requireIndexType(field: ShapeOptions.outputType)
  }

  var readsInputValues: Bool { false }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [[try node.input(0).shape.rank]] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let dimensions = try context.node.input(0).shape.dimensions
    return try .storing(dimensions, context)
  }
}

/// RESHAPE: the same elements with another shape.
///
/// - Types: every type of fixed size, and strings.
/// - Source: operator 22 of the model format. The shape is input 1 if that is an int32 vector. Otherwise, it comes from
///   the options, or, if there are none, from a vector of another integer type. One dimension may be -1 and is computed
///   from the others.
struct ReshapeOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .reshape, versions: 1...1, types: .uniform(TypeSet.movable.types, then: .any))
  }

  private let newShape: [Int]?

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...2)
    newShape = node.options.tag == 0 ? nil : try node.options[ReshapeOptions.newShape]
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    var target = try requestedShape(node)
    let count = input.shape.elementCount
    if let free = target.firstIndex(of: -1) {
      let known = Shape(target.filter { $0 != -1 }).elementCount
      guard target.filter({ $0 == -1 }).count == 1 else {
        throw node.invalid("the shape \(target) has more than one -1")
      }
      guard known > 0, count % known == 0 else {
        throw node.invalid("cannot give input \(input), of \(count) elements, the shape \(target)")
      }
      target[free] = count / known
    }
    guard target.allSatisfy({ $0 >= 0 }), Shape(target).elementCount == count else {
      throw node.invalid("cannot give input \(input), of \(count) elements, the shape \(target)")
    }
    return [Shape(target)]
  }

  private func requestedShape(_ node: NodeView) throws -> [Int] {
    if let shape = node.optionalInput(1), shape.shape.rank == 1, shape.elementType == .int32 || newShape == nil {
      return try node.integers(1)
    }
    guard let newShape else { throw node.invalid("has neither a shape input nor a shape option") }
    // Old writers stored a scalar as a shape with a single zero.
    return newShape == [0] ? [] : newShape
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try .copy(context) }
}

/// EXPAND_DIMS: the same elements with an additional axis of size 1.
///
/// - Shapes: the axis, one element, refers to the output; a negative axis counts from the back.
/// - Types: data of every type of fixed size, and strings; axis int32 or int64.
/// - Source: operator 70 of the model format.
struct ExpandDimsOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .expandDims, versions: 1...1, types: .uniform(TypeSet.movable.types, then: [.int32, .int64]))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    let axis = try node.integer(1)
    let rank = input.shape.rank
    guard axis >= -(rank + 1), axis <= rank else {
      throw node.invalid("cannot add axis \(axis) to input \(input): it must be from \(-(rank + 1)) to \(rank)")
    }
    var dimensions = input.shape.dimensions
    dimensions.insert(1, at: axis < 0 ? axis + rank + 1 : axis)
    return [Shape(dimensions)]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try context.node.requireSameQuantization()
    return try .copy(context)
  }
}

/// SQUEEZE: the same elements without axes of size 1, either all of them or those in the options.
///
/// - Types: every type of fixed size, and strings.
/// - Source: operator 43 of the model format.
struct SqueezeOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.squeeze, versions: 1...2, types: .uniform(TypeSet.movable.types))
  }

  private let axes: [Int]

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    axes = try node.options[SqueezeOptions.squeezeDimensions]
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    if axes.isEmpty { return [Shape(input.shape.dimensions.filter { $0 != 1 })] }
    let dropped = Set(try axes.map { try node.axis($0, of: input) })
    guard dropped.allSatisfy({ input.shape[$0] == 1 }) else {
      throw node.invalid("cannot drop axes \(axes.excerpt) of input \(input): they must have size 1")
    }
    return [Shape(input.shape.dimensions.enumerated().filter { !dropped.contains($0.offset) }.map(\.element))]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try .copy(context) }
}

/// RANK: the number of axes of the input, as a scalar.
///
/// - Types: input of any type; output int32.
/// - Source: operator 110 of the model format.
struct RankOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.rank, versions: 1...1, types: .one(.any, to: .int32))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 1...1) }

  var readsInputValues: Bool { false }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [[]] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .storing([try context.node.input(0).shape.rank], context)
  }
}

/// BITCAST: the same bytes as elements of another type.
///
/// - Shapes: a last axis is added if elements become smaller. If they become larger, the last axis, whose size must
///   match one element, is removed.
/// - Types: every type of whole bytes to every other.
/// - Source: operator 159 of the model format.
struct BitcastOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.bitcast, versions: 1...1, types: .one(.plain, to: .plain))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 1...1) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    let output = try node.output(0)
    guard let from = input.elementType.byteWidth, let to = output.elementType.byteWidth else {
      throw node.invalid("input \(input) or output \(output) has elements of no whole number of bytes")
    }
    if from == to { return [input.shape] }
    if from > to { return [Shape(input.shape.dimensions + [from / to])] }
    guard input.shape.dimensions.last == to / from else {
      throw node.invalid(
        "the last axis of input \(input) must be \(to / from) long, one element of \(output.elementType.name)")
    }
    return [Shape(input.shape.dimensions.dropLast())]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try .copy(context) }
}

/// BROADCAST_ARGS: the shape to which tensors of two shapes broadcast.
///
/// - Shapes: two vectors; output with the length of the longer one.
/// - Types: int32 or int64.
/// - Throws: An error in a run if two sizes differ and neither is 1.
/// - Source: operator 145 of the model format.
struct BroadcastArgsOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.broadcastArgs, versions: 1...1, types: .uniform([.int32, .int64]))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let (first, second) = (try node.input(0), try node.input(1))
    guard first.shape.rank == 1, second.shape.rank == 1 else {
      throw node.invalid("shapes \(first) and \(second) must be vectors")
    }
    return [[max(first.shape[0], second.shape[0])]]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let counts = [try context.node.input(0).shape[0], try context.node.input(1).shape[0]]
    let shapes = [try IndexTensor(input: 0, context), try IndexTensor(input: 1, context)]
    let output = try context.outputSlot(0)
    let isWide = try context.node.output(0).elementType == .int64
    let rank = max(counts[0], counts[1])
    let location = context.node.node.location
    return PreparedOperator(items: rank, cost: 5) { run, axes in
      let (first, second) = (shapes[0].values(run), shapes[1].values(run))
      for axis in axes {
        let a = axis < rank - counts[0] ? 1 : first[axis - (rank - counts[0])]
        let b = axis < rank - counts[1] ? 1 : second[axis - (rank - counts[1])]
        guard a == b || a == 1 || b == 1 else {
          throw RuntimeError(
            .invalidInput, "sizes \(a) and \(b) of axis \(axis) do not fit each other", location: location)
        }
        let size = a == 1 ? b : a
        if isWide {
          run.pointer(output, as: Int64.self)[axis] = Int64(size)
        } else {
          run.pointer(output, as: Int32.self)[axis] = Int32(truncatingIfNeeded: size)
        }
      }
    }
  }
}

extension PreparedOperator {
  /// Returns an operator that stores these values in output 0, of type int32 or int64.
  ///
  /// - Throws: An error for a value that doesn't fit int32.
  static func storing(_ values: [Int], _ context: PrepareContext) throws -> PreparedOperator {
    let output = try context.outputSlot(0)
    if try context.node.output(0).elementType == .int64 {
      return PreparedOperator { run, _ in
        let elements = run.pointer(output, as: Int64.self)
        for (index, value) in values.enumerated() { elements[index] = Int64(value) }
      }
    }
    let narrow = values.compactMap { Int32(exactly: $0) }
    guard narrow.count == values.count else { throw context.node.invalid("\(values.excerpt) do not fit into int32") }
    return PreparedOperator { run, _ in
      let elements = run.pointer(output, as: Int32.self)
      for (index, value) in narrow.enumerated() { elements[index] = value }
    }
  }
}
