/// A piece of memory that a run needs from one step to another.
package struct MemoryRequest: Sendable, Hashable {
  package var bytes: Int
  /// The steps during which the contents matter, first to last.
  package var lifetime: ClosedRange<Int>

  package init(bytes: Int, lifetime: ClosedRange<Int>) {
    self.bytes = bytes
    self.lifetime = lifetime
  }
}

/// Where each request lies in one arena.
package struct MemoryPlan: Sendable, Hashable {
  /// Offsets in bytes, in the order of the requests; multiples of `alignment`.
  package var offsets: [Int]
  /// The size of the arena in bytes.
  package var byteCount: Int

  package static let alignment = 64
  /// How many bytes kernels may read behind a tensor, where an operator says that they do: groups of four bytes end up
  /// to three bytes later.
  package static let slackBytes = 3

  /// Largest requests first, each in the smallest gap that its lifetime leaves free.
  ///
  /// Every request gets `slack` bytes more than it asked for, which kernels may read but not write.
  ///
  /// - Throws: `RuntimeError` (`limitExceeded`) if the arena would be larger than `limit` bytes.
  /// - Complexity: O(n²) in the number of requests.
  /// - Source: "Efficient Memory Management for Deep Neural Net Inference" (Pisarchyk, Lee 2020), greedy by size.
  package static func greedyBySize(
    _ requests: [MemoryRequest], slack: Int = 64, limit: Int
  ) throws(RuntimeError) -> MemoryPlan {
    let order = largestFirst(requests)
    var offsets = [Int](repeating: 0, count: requests.count)
    var total = 0
    // Placed requests by offset.
    var placed: [Placed] = []
    for index in order {
      let request = requests[index]
      guard request.bytes <= limit else { throw exceeded(request.bytes, limit) }
      let size = (request.bytes + slack + alignment - 1) / alignment * alignment
      var best: (offset: Int, waste: Int)?
      var end = 0
      for block in placed where block.lifetime.overlaps(request.lifetime) {
        let gap = block.offset - end
        if gap >= size, gap - size < best?.waste ?? Int.max { best = (end, gap - size) }
        end = max(end, block.end)
      }
      let offset = best?.offset ?? end
      offsets[index] = offset
      total = max(total, offset + size)
      guard total <= limit else { throw exceeded(total, limit) }
      let position = placed.firstIndex { $0.offset > offset } ?? placed.endIndex
      placed.insert(Placed(offset: offset, end: offset + size, lifetime: request.lifetime), at: position)
    }
    return MemoryPlan(offsets: offsets, byteCount: total)
  }

  /// Returns the order in which requests are placed: those of one size by their first step.
  ///
  /// By insertion, no slower than the placing: the library's sort keeps ranges in an array, whose type takes longer to
  /// make than a small model's plan.
  private static func largestFirst(_ requests: [MemoryRequest]) -> [Int] {
    func isBefore(_ first: MemoryRequest, _ second: MemoryRequest) -> Bool {
      first.bytes != second.bytes ? first.bytes > second.bytes : first.lifetime.lowerBound < second.lifetime.lowerBound
    }
    var order: [Int] = []
    order.reserveCapacity(requests.count)
    for (index, request) in requests.enumerated() {
      var lower = 0, upper = order.count
      while lower < upper {
        let middle = (lower + upper) / 2
        if isBefore(request, requests[order[middle]]) { upper = middle } else { lower = middle + 1 }
      }
      order.insert(index, at: lower)
    }
    return order
  }

  private struct Placed {
    var offset: Int
    var end: Int
    var lifetime: ClosedRange<Int>
  }

  private static func exceeded(_ bytes: Int, _ limit: Int) -> RuntimeError {
    RuntimeError(
      .limitExceeded,
      "the model's tensors take \(bytes) bytes or more, above the limit of \(limit); raise RuntimeOptions.limits.arenaBytes if this is intended"
    )
  }
}
