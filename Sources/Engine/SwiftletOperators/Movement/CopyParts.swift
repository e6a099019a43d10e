import SwiftletEngine
import SwiftletBase

/// One strided copy between two tensors.
struct CopyPart: Sendable {
  var copy: StridedCopy
  var source: TensorSlot
  var destination: TensorSlot
}

extension PreparedOperator.Stage {
  /// Creates a stage of independent copies, which must not write the same bytes. Long copies are divided and short ones
  /// are joined, so that every tile is worth handing to a thread.
  init(copies parts: [CopyPart]) {
    let parts = parts.flatMap(\.cut)
    self.init { threads in
      let list = CopyList(parts, threads: threads)
      return PreparedOperator.Stage(tileCount: list.tileCount, work: list.work) { run, tile in list.run(tile, run) }
    }
  }
}

/// A list of copies in tiles. Copies of evenly spaced runs, which most copies are, are stored in plain memory. In small
/// models, copies are so short that other ways to find them would be noticeable.
private final class CopyList: Sendable {
  /// Evenly spaced runs of bytes.
  private struct Runs {
    var source: TensorSlot
    var destination: TensorSlot
    var sourceOffset: Int
    var destinationOffset: Int
    var bytes: Int
    var loop: CopyLoop
  }

  /// A range of items of another copy.
  private struct Items {
    var part: CopyPart
    var items: Range<Int>
  }

  private let runs: AlignedBytes
  /// The end of each tile's runs in `runs`. A tile starts at the end of the previous tile.
  private let ends: [Int]
  private let others: [[Items]]

  /// The total time of all copies in nanoseconds.
  let work: Double

  var tileCount: Int { ends.count }

  init(_ parts: [CopyPart], threads: Int) {
    let total = parts.reduce(0) { $0 + Double($1.copy.itemCount) * $1.copy.itemCost }
    let tile =
      threads == 1
      ? PreparedOperator.Stage.maximumTileNanoseconds
      : PreparedOperator.Stage.tileNanoseconds(total: total, threads: threads)
    work = total
    var runs: [Runs] = [], ends: [Int] = [], others: [[Items]] = []
    var filled = Double.infinity
    for part in parts where part.copy.itemCount > 0 {
      let count = part.copy.itemCount
      let cost = Double(count) * part.copy.itemCost
      let pieces = min(count, max(1, Int(min(cost / tile, 1e6))))
      for piece in 0..<pieces {
        let items = (count * piece / pieces)..<(count * (piece + 1) / pieces)
        if ends.isEmpty || filled + cost / Double(pieces) > tile {
          ends.append(runs.count)
          others.append([])
          filled = 0
        }
        if let even = part.copy.evenRuns(items) {
          runs.append(
            Runs(
              source: part.source, destination: part.destination, sourceOffset: even.sourceOffset,
              destinationOffset: even.destinationOffset, bytes: even.bytes, loop: even.loop))
          ends[ends.count - 1] = runs.count
        } else {
          others[others.count - 1].append(Items(part: part, items: items))
        }
        filled += cost / Double(pieces)
      }
    }
    self.runs = runs.withUnsafeBytes { AlignedBytes(copying: $0) }
    self.ends = ends
    self.others = others
  }

  func run(_ tile: Int, _ run: RunContext) {
    let list = runs.start.assumingMemoryBound(to: Runs.self)
    for index in (tile == 0 ? 0 : ends[tile - 1])..<ends[tile] {
      let runs = list[index]
      var from = UnsafeRawPointer(run.pointer(runs.source)) + runs.sourceOffset
      var to = run.pointer(runs.destination) + runs.destinationOffset
      for _ in 0..<runs.loop.count {
        moveBytes(runs.bytes, from: from, to: to)
        from += runs.loop.sourceStride
        to += runs.loop.destinationStride
      }
    }
    guard !others[tile].isEmpty else { return }
    for other in others[tile] {
      let part = other.part
      part.copy.run(other.items, from: run.pointer(part.source), to: run.pointer(part.destination))
    }
  }
}

extension CopyPart {
  /// The maximum length of a run. Longer runs are divided, so that no item blocks a thread.
  private static let maximumRun = 1 << 24

  /// The same copy in parts without long runs.
  fileprivate var cut: [CopyPart] {
    guard case .runs(let bytes, let inner, let outer) = copy.form, bytes > Self.maximumRun else { return [self] }
    return stride(from: 0, to: bytes, by: Self.maximumRun).map { start in
      let run = CopyLoop(count: min(Self.maximumRun, bytes - start), sourceStride: 1, destinationStride: 1)
      let piece = StridedCopy(
        elementBytes: 1, loops: outer + [inner, run], sourceOffset: copy.sourceOffset + start,
        destinationOffset: copy.destinationOffset + start)
      return CopyPart(copy: piece, source: source, destination: destination)
    }
  }
}

extension StridedCopy {
  /// Returns items of the copy as evenly spaced runs of bytes; `nil` if they have another form.
  fileprivate func evenRuns(
    _ items: Range<Int>
  ) -> (bytes: Int, loop: CopyLoop, sourceOffset: Int, destinationOffset: Int)? {
    switch form {
    case .block(let bytes):
      let start = items.lowerBound * Self.blockBytes
      let count = min(bytes, items.upperBound * Self.blockBytes) - start
      let once = CopyLoop(count: 1, sourceStride: 0, destinationStride: 0)
      return (count, once, sourceOffset + start, destinationOffset + start)
    case .runs(let bytes, let inner, let outer) where outer.isEmpty && bytes > 8:
      let loop = CopyLoop(
        count: items.count, sourceStride: inner.sourceStride, destinationStride: inner.destinationStride)
      return (
        bytes, loop, sourceOffset + items.lowerBound * inner.sourceStride,
        destinationOffset + items.lowerBound * inner.destinationStride
      )
    default: return nil
    }
  }
}

extension PreparedOperator {
  /// Creates independent copies, which must not write the same bytes.
  init(copies parts: [CopyPart]) { self.init(stages: [Stage(copies: parts)]) }

  /// Creates a strided copy of input `input` to output 0.
  init(copy: StridedCopy, input: Int = 0, _ context: PrepareContext) throws {
    context.uses("strided copy", .none)
    self.init(copies: [
      CopyPart(copy: copy, source: try context.inputSlot(input), destination: try context.outputSlot(0))
    ])
  }
}
