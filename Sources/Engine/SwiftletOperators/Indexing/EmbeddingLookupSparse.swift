import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// EMBEDDING_LOOKUP_SPARSE: weighted sums of table rows for the positions of a sparse tensor.
///
/// - Shapes: row indices `[n]`; their positions `[n, rank]`; the dense shape `[rank]`; weights `[n]`; table `[rows,
///   …]`. The output has the dense shape without its last axis, followed by the table's shape without its first axis.
///   The indices of one position are contiguous.
/// - Types: indices, positions, and shape int32; weights and table float32.
/// - Throws: An error in a run if an index is outside the table or a position is outside the shape.
/// - Source: operator 33 of the model format. Sums, or means normalized by the weights or by the root of squared
///   weights. Positions without indices are 0.
struct EmbeddingLookupSparseOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .embeddingLookupSparse, versions: 1...1, types: .one(.int32, .int32, .int32, .float32, .float32, to: .float32))
  }

  private let combiner: EmbeddingCombiner

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 5...5)
    let number = try node.options.code(of: EmbeddingLookupSparseOptions.combiner)
    guard let combiner = EmbeddingCombiner(rawValue: number) else {
      throw node.invalid("has combiner \(number); it must be 0, 1 or 2")
    }
    self.combiner = combiner
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let (numbers, places, weights, table) = (try node.input(0), try node.input(1), try node.input(3), try node.input(4))
    let dense = try node.integers(2)
    guard numbers.shape.rank == 1, places.shape.rank == 2, places.shape[0] == numbers.shape[0],
      weights.shape == numbers.shape, table.shape.rank >= 2, dense.count == places.shape[1], !dense.isEmpty,
      dense.allSatisfy({ $0 >= 0 })
    else {
      throw node.invalid(
        "numbers \(numbers), places \(places), weights \(weights), table \(table), and shape \(dense) are inconsistent"
      )
    }
    return [Shape(dense.dropLast() + table.shape.dimensions.dropFirst())]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let table = try node.input(4).shape
    let rowElements = table.elementCount(1..<table.rank)
    let sizes = Array(try node.integers(2).dropLast())
    let (count, elements) = (try node.input(0).shape[0], try node.output(0).shape.elementCount)
    let (numbers, places) = (try IndexTensor(input: 0, context), try IndexTensor(input: 1, context))
    let (weights, rows, destination) = (try context.inputSlot(3), try context.inputSlot(4), try context.outputSlot(0))
    let (combiner, rowCount, location) = (combiner, table[0], node.node.location)
    guard Shape(sizes + [rowElements]).elementCount == elements else {
      throw node.invalid("gives \(try node.output(0)), which is not the shape \(sizes.excerpt)")
    }
    let lanes = ColumnLanes(columns: rowElements)
    let buckets = try context.scratch(elements: [lanes.count], of: Bucket.self)
    let clearing = PreparedOperator.Stage(items: elements, cost: 0.2) { run, range in
      (run.pointer(destination, as: Float.self) + range.lowerBound).update(repeating: 0, count: range.count)
    }
    let cost = lanes.width + Double(3 * sizes.count + 5)
    let summing = PreparedOperator.Stage.inOrder(lanes: lanes.count, items: count, cost: cost) { run, lane, items in
      let output = run.pointer(destination, as: Float.self)
      let (numbers, places) = (numbers.values(run), places.values(run))
      let columns = lanes.range(lane)
      var bucket = items.lowerBound == 0 ? Bucket() : run.pointer(buckets, as: Bucket.self)[lane]
      func finish() {
        guard bucket.place >= 0, combiner != .sum else { return }
        let divisor = combiner == .mean ? bucket.total : bucket.squares.squareRoot()
        for index in columns { output[bucket.place &* rowElements &+ index] /= divisor }
      }
      for item in items {
        let row = numbers[item]
        guard row >= 0, row < rowCount else {
          throw RuntimeError.index(row, position: item, size: rowCount, at: location)
        }
        var place = 0
        for (axis, size) in sizes.enumerated() {
          let index = places[item &* (sizes.count &+ 1) &+ axis]
          guard index >= 0, index < size else {
            throw RuntimeError.index(index, position: item, size: size, at: location)
          }
          place = place &* size &+ index
        }
        if place != bucket.place {
          finish()
          bucket = Bucket(place: place)
        }
        let weight = run.pointer(weights, as: Float.self)[item]
        bucket.total += weight
        bucket.squares += weight * weight
        let from = run.pointer(rows, as: Float.self) + row &* rowElements
        for index in columns { output[place &* rowElements &+ index] += from[index] * weight }
      }
      if items.upperBound == count { finish() }
      run.pointer(buckets, as: Bucket.self)[lane] = bucket
    }
    return PreparedOperator(stages: [clearing] + summing)
  }

  /// The position whose rows are being summed, and their weights.
  private struct Bucket: BitwiseCopyable {
    /// The position; negative before the first one.
    var place = -1
    var total: Float = 0
    var squares: Float = 0
  }
}
