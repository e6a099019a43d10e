import SwiftletEngine
import SwiftletSchema

/// How segments are reduced.
enum SegmentRule: Sendable {
  case sum, product, maximum, minimum
}

extension PreparedOperator {
  /// Rows of the data reduced into the output row that their segment number names; rows with a negative number are left
  /// out.
  ///
  /// - Throws: for other types than float32 and int32; in a run, when a number is not below `segments`.
  static func reducingSegments(
    _ rule: SegmentRule, rows: Int, segments: Int, rowElements: Int, _ context: PrepareContext
  ) throws -> PreparedOperator {
    let reduction = SegmentReduction(rows: rows, segments: segments, rowElements: rowElements)
    switch (try context.node.input(0).elementType, rule) {
    case (.float32, .sum): return try reduction.prepared(Float(0), context) { $0 + $1 }
    case (.float32, .product): return try reduction.prepared(Float(1), context) { $0 * $1 }
    case (.float32, .maximum):
      return try reduction.prepared(-Float.greatestFiniteMagnitude, context) { $0 < $1 ? $1 : $0 }
    case (.float32, .minimum):
      return try reduction.prepared(Float.greatestFiniteMagnitude, context) { $1 < $0 ? $1 : $0 }
    case (.int32, .sum): return try reduction.prepared(Int32(0), context) { $0 &+ $1 }
    case (.int32, .product): return try reduction.prepared(Int32(1), context) { $0 &* $1 }
    case (.int32, .maximum): return try reduction.prepared(Int32.min, context) { max($0, $1) }
    case (.int32, .minimum): return try reduction.prepared(Int32.max, context) { min($0, $1) }
    default: throw context.node.invalid("cannot reduce segments of input \(try context.node.input(0))")
    }
  }
}

private struct SegmentReduction: Sendable {
  var rows: Int
  var segments: Int
  var rowElements: Int

  func prepared<Element: BitwiseCopyable & Sendable>(
    _ initial: Element, _ context: PrepareContext, combining: @escaping @Sendable (Element, Element) -> Element
  ) throws -> PreparedOperator {
    let (source, destination) = (try context.inputSlot(0), try context.outputSlot(0))
    let numbers = try IndexTensor(input: 1, context)
    let location = context.node.node.location
    let lanes = ColumnLanes(columns: rowElements)
    let clearing = PreparedOperator.Stage(items: segments &* rowElements, cost: 0.3) { run, elements in
      (run.pointer(destination, as: Element.self) + elements.lowerBound).update(
        repeating: initial, count: elements.count)
    }
    let reducing = PreparedOperator.Stage.inOrder(lanes: lanes.count, items: rows, cost: lanes.width + 3) {
      run, lane, rows in
      let numbers = numbers.values(run)
      let columns = lanes.range(lane)
      for row in rows {
        let segment = numbers[row]
        guard segment >= 0 else { continue }
        guard segment < segments else {
          throw RuntimeError.index(segment, position: row, size: segments, at: location)
        }
        let from = run.pointer(source, as: Element.self) + row &* rowElements
        let to = run.pointer(destination, as: Element.self) + segment &* rowElements
        for index in columns { to[index] = combining(to[index], from[index]) }
      }
    }
    return PreparedOperator(stages: [clearing] + reducing)
  }
}
