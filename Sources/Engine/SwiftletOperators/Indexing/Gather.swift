import SwiftletEngine
import SwiftletSchema

/// GATHER: the slices along one axis that indices select.
///
/// - Shapes: data, indices; output `data[..<axis] + indices[batchDimensions...] + data[(axis + 1)...]`. The leading
///   `batchDimensions` axes of both inputs correspond to each other.
/// - Types: data of every type of fixed size, and strings; indices int16, int32, or int64.
/// - Throws: An error in a run if an index is outside the axis.
/// - Source: operator 36 of the model format.
struct GatherOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .gather, versions: 1...8, types: .uniform(TypeSet.movable.types, then: IndexTensor.types))
  }

  private let axis: Int
  private let batchDimensions: Int

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    axis = try node.options[GatherOptions.axis]
    batchDimensions = try node.options[GatherOptions.batchDimensions]
  }

  /// Returns the axis and the number of batch axes, counted from the front.
  private func resolved(_ node: NodeView) throws -> (axis: Int, batch: Int) {
    let data = try node.input(0)
    let indices = try node.input(1)
    let axis = try node.axis(axis, of: data)
    let batch = batchDimensions < 0 ? batchDimensions + indices.shape.rank : batchDimensions
    guard batch >= 0, batch <= axis, batch <= indices.shape.rank,
      data.shape.dimensions.prefix(batch) == indices.shape.dimensions.prefix(batch)
    else {
      throw node.invalid(
        "\(batchDimensions) batch axes are inconsistent with data \(data), indices \(indices), and axis \(axis): they must be equal in both and precede the axis"
      )
    }
    return (axis, batch)
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let (axis, batch) = try resolved(node)
    let data = try node.input(0).shape.dimensions
    let indices = try node.input(1).shape.dimensions
    return [Shape(Array(data[..<axis]) + Array(indices[batch...]) + Array(data[(axis + 1)...]))]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let (axis, batch) = try resolved(node)
    let data = try node.input(0).shape
    let indexShape = try node.input(1).shape
    guard try node.output(0).shape.elementCount > 0 else { return .empty }
    let bytes = data.elementCount((axis + 1)..<data.rank) &* (try node.elementBytes(ofInput: 0))
    let size = data[axis]
    let outerCount = data.elementCount(batch..<axis)
    let indexCount = indexShape.elementCount(batch..<indexShape.rank)
    let batchCount = data.elementCount(0..<batch)
    let indices = try IndexTensor(input: 1, context)
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    let location = node.node.location

    return PreparedOperator(items: batchCount &* outerCount &* indexCount, cost: Double(bytes) * 0.05 + 3) {
      run, items in
      let from = run.pointer(source)
      let to = run.pointer(destination)
      let indices = indices.values(run)
      var (outer, position) = items.lowerBound.quotientAndRemainder(dividingBy: indexCount)
      var item = items.lowerBound
      while item < items.upperBound {
        let first = outer / outerCount &* indexCount &+ position
        let count = min(indexCount &- position, items.upperBound &- item)
        if let outside = indices.position(outside: size, in: first..<first &+ count) {
          throw RuntimeError.index(indices[outside], position: outside, size: size, at: location)
        }
        indices.copyRows(
          first..<first &+ count, of: bytes, from: from + outer &* size &* bytes, to: to + item &* bytes)
        item &+= count
        position = 0
        outer &+= 1
      }
    }
  }
}

/// GATHER_ND: the slices of the data that index vectors select.
///
/// - Shapes: data; indices `[…, depth]`; output `indices[..<last] + data[depth...]`.
/// - Types: data of every type of fixed size, and strings; indices int16, int32, or int64.
/// - Throws: An error in a run if an index is outside its axis.
/// - Source: operator 107 of the model format.
struct GatherNDOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .gatherND, versions: 1...6, types: .uniform(TypeSet.movable.types, then: IndexTensor.types))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let data = try node.input(0)
    let indices = try node.input(1)
    guard data.shape.rank >= 1, let depth = indices.shape.dimensions.last, depth <= data.shape.rank else {
      throw node.invalid(
        "the last axis of indices \(indices) must not be longer than data \(data) has axes, both at least vectors")
    }
    return [Shape(indices.shape.dimensions.dropLast() + data.shape.dimensions.dropFirst(depth))]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    guard try node.output(0).shape.elementCount > 0 else { return .empty }
    let data = try node.input(0).shape
    let indexShape = try node.input(1).shape
    let vectors = try IndexVectors(
      input: 1, data: data, depth: indexShape.innermost, elementBytes: node.elementBytes(ofInput: 0), context)
    let count = indexShape.elementCount(0..<(indexShape.rank - 1))
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    let bytes = vectors.bytes
    return PreparedOperator(items: count, cost: Double(bytes) * 0.05 + 3 + Double(vectors.depth)) { run, items in
      let from = run.pointer(source)
      let to = run.pointer(destination)
      for item in items {
        let offset = try vectors.offset(of: item, run)
        moveBytes(bytes, from: from.advanced(by: offset), to: to.advanced(by: item &* bytes))
      }
    }
  }
}

/// Copies of the rows that indices select.
///
/// Parameters such as the index type and the row size are resolved before the loops, which only process indices and
/// bytes.
extension IndexTensor.Values {
  /// Returns the first position whose index isn't in `0 ..< size`.
  func position(outside size: Int, in positions: Range<Int>) -> Int? {
    @inline(__always) func areInside(_ index: (Int) -> Int) -> Bool {
      var outside = false
      for position in positions {
        let index = index(position)
        // One comparison: as an unsigned number, a negative index is larger than any size.
        outside = outside || UInt(bitPattern: index) >= UInt(bitPattern: size)
      }
      return !outside
    }
    let start = start, isInside: Bool
    switch type {
    case .int32: isInside = areInside { Int(start.load(fromByteOffset: $0 &* 4, as: Int32.self)) }
    default: isInside = areInside { self[$0] }
    }
    return isInside ? nil : positions.first { !(0..<size).contains(self[$0]) }
  }

  /// Copies one row per position to contiguous memory.
  ///
  /// - Parameters:
  ///   - bytes: The size of a row.
  ///   - source: The row of index 0. All indices must be valid.
  func copyRows(
    _ positions: Range<Int>, of bytes: Int, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer
  ) {
    @inline(__always) func copy(_ move: (UnsafeRawPointer, UnsafeMutableRawPointer) -> Void) {
      var target = destination
      guard type == .int32 else {
        for position in positions {
          move(source + self[position] &* bytes, target)
          target += bytes
        }
        return
      }
      for position in positions {
        move(source + Int(start.load(fromByteOffset: position &* 4, as: Int32.self)) &* bytes, target)
        target += bytes
      }
    }
    switch bytes {
    case 4: copy { $1.storeBytes(of: $0.loadUnaligned(as: UInt32.self), as: UInt32.self) }
    case 64...1024:
      let last = bytes &- 64
      copy { from, to in
        // The last part ends with the last byte, and may overlap the previous part.
        var offset = 0
        while offset < last {
          moveSixtyFour(from + offset, to + offset)
          offset &+= 64
        }
        moveSixtyFour(from + last, to + last)
      }
    default: copy { moveBytes(bytes, from: $0, to: $1) }
    }
  }
}

/// Copies 64 bytes with four loads followed by four stores, because pairs of loads and stores wait more for each other.
@inline(__always)
private func moveSixtyFour(_ source: UnsafeRawPointer, _ destination: UnsafeMutableRawPointer) {
  let a = source.loadUnaligned(as: SIMD2<UInt64>.self)
  let b = source.loadUnaligned(fromByteOffset: 16, as: SIMD2<UInt64>.self)
  let c = source.loadUnaligned(fromByteOffset: 32, as: SIMD2<UInt64>.self)
  let d = source.loadUnaligned(fromByteOffset: 48, as: SIMD2<UInt64>.self)
  destination.storeBytes(of: a, as: SIMD2<UInt64>.self)
  destination.storeBytes(of: b, toByteOffset: 16, as: SIMD2<UInt64>.self)
  destination.storeBytes(of: c, toByteOffset: 32, as: SIMD2<UInt64>.self)
  destination.storeBytes(of: d, toByteOffset: 48, as: SIMD2<UInt64>.self)
}
