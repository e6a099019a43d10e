import SwiftletEngine

/// One loop of a strided copy: how often it runs, and how far a step moves on both sides, in bytes.
struct CopyLoop: Sendable, Hashable {
  var count: Int
  /// 0 repeats the source, a negative stride walks it backwards.
  var sourceStride: Int
  var destinationStride: Int
}

/// Elements moved from one strided layout to another: what padding, slicing, joining, repeating and transposing have in
/// common.
///
/// The loops are reduced first: loops that run once go, neighbours that walk both sides evenly become one, and an
/// innermost loop over adjoining bytes becomes a single copy. Only the size of an element matters, not its type.
///
/// - Shapes: at most 16 loops.
struct StridedCopy: Sendable {
  /// How the bytes are moved once the loops are reduced.
  enum Form: Sendable {
    /// Nothing to move.
    case empty
    /// One run of adjoining bytes, cut into blocks of `StridedCopy.blockBytes`.
    case block(bytes: Int)
    /// A run of adjoining bytes for every step of `inner`, for every step of `outer`.
    case runs(bytes: Int, inner: CopyLoop, outer: [CopyLoop])
    /// Single elements that adjoin along `rows` in the source and along `columns` in the destination, for every step of
    /// `outer`. An item is a part of the columns of a strip of `stripRows` rows.
    case transposed(elementBytes: Int, rows: CopyLoop, columns: CopyLoop, outer: [CopyLoop], stripRows: Int)
  }

  static let blockBytes = 16_384
  /// How many elements a strip of a transposition should have, so that starting it does not count.
  private static let stripElements = 4_096
  /// Columns of an item: all, unless there are so many that one strip of them would keep a thread.
  static let stripColumns = 1 << 16

  let form: Form
  let sourceOffset: Int
  let destinationOffset: Int

  /// - Parameters:
  ///   - elementBytes: the size of an element.
  ///   - loops: outermost first; the last loops should adjoin in the destination. Strides in bytes.
  ///   - sourceOffset: the byte of the source where the first element lies.
  ///   - destinationOffset: the byte of the destination where it goes.
  init(elementBytes: Int, loops: [CopyLoop], sourceOffset: Int = 0, destinationOffset: Int = 0) {
    self.sourceOffset = sourceOffset
    self.destinationOffset = destinationOffset
    guard loops.allSatisfy({ $0.count > 0 }) else {
      form = .empty
      return
    }
    var reduced = Self.merged(loops)
    var run = elementBytes
    if let last = reduced.last, last.sourceStride == run, last.destinationStride == run {
      run = run &* last.count
      reduced.removeLast()
    }
    form = Self.form(run: run, loops: reduced)
  }

  private static func merged(_ loops: [CopyLoop]) -> [CopyLoop] {
    var merged: [CopyLoop] = []
    for loop in loops where loop.count > 1 {
      if let outer = merged.last, outer.sourceStride == loop.sourceStride &* loop.count,
        outer.destinationStride == loop.destinationStride &* loop.count
      {
        merged[merged.count - 1] = CopyLoop(
          count: outer.count &* loop.count, sourceStride: loop.sourceStride, destinationStride: loop.destinationStride)
      } else {
        merged.append(loop)
      }
    }
    return merged
  }

  private static func form(run: Int, loops: [CopyLoop]) -> Form {
    guard let inner = loops.last else { return .block(bytes: run) }
    let outer = Array(loops.dropLast())
    let isElement = run == 1 || run == 2 || run == 4 || run == 8
    if isElement, inner.destinationStride == run, inner.sourceStride != 0,
      let rows = outer.lastIndex(where: { $0.sourceStride == run })
    {
      var others = outer
      let loop = others.remove(at: rows)
      // Whole cache lines of the source.
      let line = 64 / run
      let strip = max(1, stripElements / inner.count / line) * line
      return .transposed(elementBytes: run, rows: loop, columns: inner, outer: others, stripRows: strip)
    }
    return runs(run, inner: inner, outer: outer)
  }

  /// Stepping from row to row costs more than stepping within one, so a long loop should be the innermost.
  private static func runs(_ bytes: Int, inner: CopyLoop, outer: [CopyLoop]) -> Form {
    let shortest = 8
    guard inner.count < shortest, let longest = outer.map(\.count).max(), longest > inner.count,
      let index = outer.lastIndex(where: { $0.count == longest })
    else { return .runs(bytes: bytes, inner: inner, outer: outer) }
    var others = outer + [inner]
    let loop = others.remove(at: index)
    return .runs(bytes: bytes, inner: loop, outer: others)
  }

  /// How many independent pieces the copy consists of.
  var itemCount: Int {
    switch form {
    case .empty: 0
    case .block(let bytes): (bytes + Self.blockBytes - 1) / Self.blockBytes
    case .runs(_, let inner, let outer): outer.reduce(inner.count) { $0 &* $1.count }
    case .transposed(_, let rows, let columns, let outer, let strip):
      outer.reduce((rows.count + strip - 1) / strip * Self.columnParts(columns)) { $0 &* $1.count }
    }
  }

  /// Roughly how long one item takes, in nanoseconds.
  var itemCost: Double {
    switch form {
    case .empty: 0
    case .block(let bytes): Double(min(bytes, Self.blockBytes)) * 0.05 + 5
    case .runs(let bytes, _, _): Double(bytes) * 0.05 + (bytes <= 8 ? 0.7 : 4)
    case .transposed(_, let rows, let columns, _, let strip):
      Double(min(columns.count, Self.stripColumns)) * Double(min(rows.count, strip)) * 0.3 + 10
    }
  }

  static func columnParts(_ columns: CopyLoop) -> Int { (columns.count + stripColumns - 1) / stripColumns }
}

extension StridedCopy {
  /// A copy between two tensors' elements, or parts of them.
  ///
  /// - Parameters:
  ///   - counts: steps along each axis, outermost first.
  ///   - sourceStrides: in elements, one per axis; 0 repeats.
  ///   - destinationStrides: in elements, one per axis.
  ///   - sourceStart: the element of the source to begin with.
  ///   - destinationStart: the element of the destination to begin with.
  init(
    elementBytes: Int, counts: [Int], sourceStrides: [Int], destinationStrides: [Int], sourceStart: Int = 0,
    destinationStart: Int = 0
  ) {
    let loops = counts.indices.map {
      CopyLoop(
        count: counts[$0], sourceStride: sourceStrides[$0] &* elementBytes,
        destinationStride: destinationStrides[$0] &* elementBytes)
    }
    self.init(
      elementBytes: elementBytes, loops: loops, sourceOffset: sourceStart &* elementBytes,
      destinationOffset: destinationStart &* elementBytes)
  }
}
