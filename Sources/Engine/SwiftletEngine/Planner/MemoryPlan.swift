/// A block of memory that a run needs from one step to another.
package struct MemoryRequest: Sendable, Hashable {
  package var bytes: Int
  /// The range of steps during which the contents are needed.
  package var lifetime: ClosedRange<Int>

  package init(bytes: Int, lifetime: ClosedRange<Int>) {
    self.bytes = bytes
    self.lifetime = lifetime
  }
}

/// The position of each memory request in one arena.
package struct MemoryPlan: Sendable, Hashable {
  /// The byte offsets, in request order, as multiples of `alignment`.
  package var offsets: [Int]
  /// The size of the arena in bytes.
  package var byteCount: Int

  package static let alignment = 64
  /// The number of bytes that kernels may read past the end of a tensor, if an operator requests it. Groups of four
  /// bytes end up to three bytes past the end.
  package static let slackBytes = 3

  /// Places the largest requests first, each in the smallest gap that is free during its lifetime.
  ///
  /// Every request gets `slack` more bytes than requested, which kernels may read but not write.
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
    // The placed requests by offset.
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

  /// Returns the order in which requests are placed. Requests of the same size are ordered by their first step.
  ///
  /// Uses insertion sort, which takes no longer than the placement. The standard library's sort keeps ranges in an
  /// array, whose type metadata takes longer to create than a small model's plan.
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
