import SwiftletEngine
import SwiftletSchema

/// UNIQUE: the distinct values of a vector in order of first appearance, and for every element the index of its value.
///
/// - Shapes: a vector; outputs a vector whose length depends on the values, and one with the length of the input.
/// - Throws: `limitExceeded` for more than four million elements, and an error in a run if the vector has changed since
///   its values were counted.
/// - Types: data float32, int8, uint8, int16, int32, or int64; positions int32 or int64.
/// - Source: operator 103 of the model format.
struct UniqueOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .unique, versions: 1...1,
      types: [ElementType.float32, .int8, .uint8, .int16, .int32, .int64].map {
        TypeCombination(inputs: [TypeSet($0)], outputs: [TypeSet($0), [.int32, .int64]])
      })
  }

  /// The maximum length, because counting values takes many times the memory of the input.
  private static let longest = 1 << 22

  init(parsing node: NodeReader) throws { try node.require(inputs: 1...1, outputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    guard input.shape.rank == 1 else { throw node.invalid("input \(input) must be a vector") }
    guard input.shape[0] <= Self.longest else {
      throw RuntimeError(
        .limitExceeded, "input \(input) is longer than the limit of \(Self.longest) elements",
        location: node.node.location)
    }
    let bytes = try node.data(0), count = input.shape[0]
    let distinct =
      switch input.elementType {
      case .float32: Set(bytes.bindMemory(to: UInt32.self).prefix(count).lazy.map(Self.key(ofFloat:))).count
      case .int8, .uint8: Set(bytes.prefix(count)).count
      case .int16: Set(bytes.bindMemory(to: UInt16.self).prefix(count)).count
      case .int32: Set(bytes.bindMemory(to: UInt32.self).prefix(count)).count
      default: Set(bytes.bindMemory(to: UInt64.self).prefix(count)).count
      }
    return [[distinct], input.shape]
  }

  /// Returns the key of a float. Zero and minus zero are equal. Otherwise, floats are compared by their bits.
  @Sendable
  private static func key(ofFloat bits: UInt32) -> UInt32 { bits == Float(-0.0).bitPattern ? 0 : bits }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .float32: try numbering(context, key: Self.key(ofFloat:))
    case .int8, .uint8: try numbering(context) { (bits: UInt8) in bits }
    case .int16: try numbering(context) { (bits: UInt16) in bits }
    case .int32: try numbering(context) { (bits: UInt32) in bits }
    default: try numbering(context) { (bits: UInt64) in bits }
    }
  }

  private func numbering<Bits: FixedWidthInteger & BitwiseCopyable & Sendable>(
    _ context: PrepareContext, key: @escaping @Sendable (Bits) -> Bits
  ) throws -> PreparedOperator {
    let count = try context.node.input(0).shape[0], distinct = try context.node.output(0).shape[0]
    let slotCount = 2 << (Int.bitWidth - max(1, distinct).leadingZeroBitCount)
    let table = try context.scratch(elements: [slotCount], of: Int32.self)
    let progress = try context.scratch(bytes: MemoryLayout<Int>.size)
    let source = try context.inputSlot(0)
    let (unique, places) = (try context.outputSlot(0), try context.outputSlot(1))
    let isWide = try context.node.output(1).elementType == .int64
    let location = context.node.node.location
    let clearing = PreparedOperator.Stage(items: slotCount, cost: 0.2) { run, slots in
      (run.pointer(table, as: Int32.self) + slots.lowerBound).update(repeating: -1, count: slots.count)
    }
    let filling = PreparedOperator.Stage.inOrder(items: count, cost: 60) { run, _, elements in
      let slots = run.pointer(table, as: Int32.self), found = run.pointer(unique, as: Bits.self)
      let input = run.pointer(source, as: Bits.self)
      var known = elements.lowerBound == 0 ? 0 : run.pointer(progress, as: Int.self).pointee
      for index in elements {
        let value = key(input[index])
        // Hashes are seeded, so that a file can't predict collisions. At least half of the slots are free.
        var slot = value.hashValue & (slotCount &- 1)
        while slots[slot] >= 0, key(found[Int(slots[slot])]) != value { slot = (slot &+ 1) & (slotCount &- 1) }
        if slots[slot] < 0 {
          guard known < distinct else { throw RuntimeError.changed("the input", at: location) }
          found[known] = input[index]
          slots[slot] = Int32(truncatingIfNeeded: known)
          known &+= 1
        }
        if isWide {
          run.pointer(places, as: Int64.self)[index] = Int64(slots[slot])
        } else {
          run.pointer(places, as: Int32.self)[index] = slots[slot]
        }
      }
      guard elements.upperBound < count || known == distinct else {
        throw RuntimeError.changed("the input", at: location)
      }
      run.pointer(progress, as: Int.self).pointee = known
    }
    return PreparedOperator(stages: [clearing] + filling)
  }
}
