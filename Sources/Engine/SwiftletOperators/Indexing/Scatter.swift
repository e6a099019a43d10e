import SwiftletEngine
import SwiftletSchema

/// SCATTER_ND: zeros, with updates added at the positions given by index vectors.
///
/// - Shapes: indices `[…, depth]`; updates `indices[..<last] + shape[depth...]`; the output's shape as a vector.
/// - Types: updates float32, int8, uint8, int16, int32, int64, or bool (where addition is "or"); indices and shape
///   int32 or int64.
/// - Throws: An error in a run if an index is outside its axis.
/// - Source: operator 122 of the model format.
struct ScatterNDOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .scatterND, versions: 1...1,
      types: [ElementType.float32, .int8, .uint8, .int16, .int32, .int64, .bool].map {
        TypeCombination(inputs: [[.int32, .int64], TypeSet($0), [.int32, .int64]], outputs: [TypeSet($0)])
      })
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let indices = try node.input(0)
    let updates = try node.input(1)
    let shape = try node.integers(2)
    guard let depth = indices.shape.dimensions.last, depth <= shape.count, shape.allSatisfy({ $0 >= 0 }),
      updates.shape.dimensions == indices.shape.dimensions.dropLast() + shape.dropFirst(depth)
    else { throw node.invalid("indices \(indices) and updates \(updates) are inconsistent with shape \(shape)") }
    return [Shape(shape)]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(1).elementType {
    case .float32: try prepared(Float.self, context) { $0 + $1 }
    case .int8: try prepared(Int8.self, context) { $0 &+ $1 }
    case .uint8: try prepared(UInt8.self, context) { $0 &+ $1 }
    case .int16: try prepared(Int16.self, context) { $0 &+ $1 }
    case .int32: try prepared(Int32.self, context) { $0 &+ $1 }
    case .int64: try prepared(Int64.self, context) { $0 &+ $1 }
    default: try prepared(UInt8.self, context) { $0 | $1 }
    }
  }

  private func prepared<Element: BitwiseCopyable & Sendable>(
    _ type: Element.Type, _ context: PrepareContext, adding: @escaping @Sendable (Element, Element) -> Element
  ) throws -> PreparedOperator {
    let node = context.node
    let output = try node.output(0).shape
    let indices = try node.input(0).shape
    let elementBytes = MemoryLayout<Element>.size
    let vectors = try IndexVectors(
      input: 0, data: output, depth: indices.innermost, elementBytes: elementBytes, context)
    let count = indices.elementCount(0..<(indices.rank - 1))
    let length = vectors.bytes / elementBytes
    let source = try context.inputSlot(1)
    let destination = try context.outputSlot(0)
    let zero = ElementFill(0, elementBytes: elementBytes)
    let clear = PreparedOperator.Stage(items: output.elementCount, cost: Double(elementBytes) * 0.05) { run, range in
      zero.fill(
        run.pointer(destination).advanced(by: range.lowerBound &* elementBytes), byteCount: range.count &* elementBytes)
    }
    // Vectors without coordinates select the whole output. Without elements, there is nothing to add for any number of
    // vectors.
    guard vectors.depth > 0 || length > 0 else { return PreparedOperator(stages: [clear]) }
    let lanes = ColumnLanes(columns: length)
    // In order, because updates may overlap.
    let cost = lanes.width + Double(3 * vectors.depth + 3)
    let add = PreparedOperator.Stage.inOrder(lanes: lanes.count, items: count, cost: cost) { run, lane, items in
      let columns = lanes.range(lane)
      for vector in items {
        let to = run.pointer(destination).advanced(by: try vectors.offset(of: vector, run)).assumingMemoryBound(
          to: type)
        let from = UnsafePointer(run.pointer(source, as: type)) + vector &* length
        for index in columns { to[index] = adding(to[index], from[index]) }
      }
    }
    return PreparedOperator(stages: [clear] + add)
  }
}

/// SPARSE_TO_DENSE: a default value everywhere, except for given values at the positions of index vectors.
///
/// - Shapes: indices scalar, `[n]`, or `[n, rank]`; the output shape `[rank]`; values scalar or `[n]`; default one
///   element.
/// - Types: indices and shape int32 or int64; values of every type of whole bytes.
/// - Throws: An error in a run if an index is outside its axis.
/// - Source: operator 68 of the model format.
struct SparseToDenseOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .sparseToDense, versions: 1...3,
      types: TypeSet.plain.types.map {
        TypeCombination(
          inputs: [[.int32, .int64], [.int32, .int64], TypeSet($0), TypeSet($0)], outputs: [TypeSet($0)])
      })
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 4...4) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let indices = try node.input(0)
    let values = try node.input(2)
    let shape = try node.integers(1)
    let depth = indices.shape.rank == 2 ? indices.shape[1] : 1
    guard indices.shape.rank <= 2, depth > 0, depth == shape.count, shape.allSatisfy({ $0 >= 0 }) else {
      throw node.invalid("indices \(indices) are inconsistent with shape \(shape)")
    }
    guard values.shape.rank == 0 || values.shape == [Self.count(indices.shape)],
      try node.input(3).shape.elementCount == 1
    else {
      throw node.invalid(
        "values \(values) must be one, or one for each of indices \(indices), and the default one element")
    }
    return [Shape(shape)]
  }

  private static func count(_ indices: Shape) -> Int { indices.rank == 0 ? 1 : indices[0] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let output = try node.output(0).shape
    let indices = try node.input(0).shape
    let elementBytes = try node.elementBytes(ofInput: 2)
    let vectors = try IndexVectors(input: 0, data: output, depth: output.rank, elementBytes: elementBytes, context)
    let count = Self.count(indices)
    let valueStride = try node.input(2).shape.rank == 0 ? 0 : elementBytes
    let values = try context.inputSlot(2)
    let absent = try context.inputSlot(3)
    let destination = try context.outputSlot(0)
    let fill = PreparedOperator.Stage(items: output.elementCount, cost: Double(elementBytes) * 0.05) { run, range in
      ElementFill(run.pointer(absent), elementBytes: elementBytes).fill(
        run.pointer(destination).advanced(by: range.lowerBound &* elementBytes), byteCount: range.count &* elementBytes)
    }
    // In order, because the last of several values at one position is used.
    let scatter = PreparedOperator.Stage.inOrder(items: count, cost: Double(3 * vectors.depth + 4)) { run, _, items in
      for vector in items {
        moveBytes(
          elementBytes, from: run.pointer(values).advanced(by: vector &* valueStride),
          to: run.pointer(destination).advanced(by: try vectors.offset(of: vector, run)))
      }
    }
    return PreparedOperator(stages: [fill] + scatter)
  }
}

/// DYNAMIC_UPDATE_SLICE: the data with one box replaced.
///
/// - Shapes: data; update of the same rank and not larger along any axis; start `[rank]`, clamped so that the box is
///   inside.
/// - Types: data of every type of whole bytes; start int32 or int64.
/// - Source: operator 151 of the model format.
struct DynamicUpdateSliceOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .dynamicUpdateSlice, versions: 1...6,
      types: TypeSet.plain.union(.narrow).types.map {
        TypeCombination(inputs: [TypeSet($0), TypeSet($0), [.int32, .int64]], outputs: [TypeSet($0)])
      })
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let data = try node.input(0)
    let update = try node.input(1)
    guard update.shape.rank == data.shape.rank,
      zip(update.shape.dimensions, data.shape.dimensions).allSatisfy({ $0 <= $1 })
    else { throw node.invalid("update \(update) must have the rank of data \(data) and be nowhere larger") }
    guard try node.input(2).shape == [data.shape.rank] else {
      throw node.invalid("start \(try node.input(2)) must have one element for each axis of data \(data)")
    }
    return [data.shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let shape = try node.input(0).shape
    let updateShape = try node.input(1).shape
    guard shape.elementCount > 0 else { return .empty }
    let elementBytes = try node.elementBytes(ofInput: 0)
    let data = CopyPart(
      copy: StridedCopy(
        elementBytes: elementBytes, counts: [shape.elementCount], sourceStrides: [1], destinationStrides: [1]),
      source: try context.inputSlot(0), destination: try context.outputSlot(0))
    let box = StridedCopy(
      elementBytes: elementBytes, counts: updateShape.dimensions, sourceStrides: updateShape.strides,
      destinationStrides: shape.strides)
    let start = try IndexTensor(input: 2, context)
    let latest = zip(shape.dimensions, updateShape.dimensions).map { $0 - $1 }
    let strides = shape.strides.map { $0 &* elementBytes }
    let (update, destination) = (try context.inputSlot(1), data.destination)
    let replace = PreparedOperator.Stage(items: box.itemCount, cost: box.itemCost) { run, items in
      let start = start.values(run)
      var offset = 0
      for axis in latest.indices { offset &+= min(max(0, start[axis]), latest[axis]) &* strides[axis] }
      box.run(items, from: run.pointer(update), to: run.pointer(destination).advanced(by: offset))
    }
    if shape == updateShape { return PreparedOperator(stages: [replace]) }
    return PreparedOperator(stages: [.init(copies: [data]), replace])
  }
}
