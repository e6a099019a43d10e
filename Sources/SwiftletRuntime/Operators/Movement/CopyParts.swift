/// One strided copy between two tensors.
struct CopyPart: Sendable {
  var copy: StridedCopy
  var source: TensorSlot
  var destination: TensorSlot
}

extension PreparedOperator.Stage {
  /// Independent copies, which must not write the same bytes. Long ones are cut and short ones are put together, so that every tile is
  /// worth handing to a thread.
  init(copies parts: [CopyPart]) {
    var tiles: [[CopySegment]] = []
    var filled = Double.infinity
    for (part, item) in parts.enumerated() where item.copy.itemCount > 0 {
      let count = item.copy.itemCount
      let cost = Double(count) * item.copy.itemCost
      let pieces = min(count, max(1, Int(min(cost / Self.tileNanoseconds, 1e6))))
      for piece in 0..<pieces {
        let range = (count * piece / pieces)..<(count * (piece + 1) / pieces)
        if filled + cost / Double(pieces) > Self.tileNanoseconds {
          tiles.append([])
          filled = 0
        }
        tiles[tiles.count - 1].append(CopySegment(part: part, items: range))
        filled += cost / Double(pieces)
      }
    }
    self.init(tileCount: tiles.count) { [tiles] run, tile in
      for segment in tiles[tile] {
        let part = parts[segment.part]
        part.copy.run(segment.items, from: run.pointer(part.source), to: run.pointer(part.destination))
      }
    }
  }
}

/// Some items of one copy.
private struct CopySegment: Sendable {
  var part: Int
  var items: Range<Int>
}

extension PreparedOperator {
  /// Independent copies, which must not write the same bytes.
  init(copies parts: [CopyPart]) { self.init(stages: [Stage(copies: parts)]) }

  /// Output 0 as a strided copy of input `input`.
  init(copy: StridedCopy, input: Int = 0, _ context: PrepareContext) throws {
    self.init(copies: [
      CopyPart(copy: copy, source: try context.inputSlot(input), destination: try context.outputSlot(0))
    ])
  }
}
