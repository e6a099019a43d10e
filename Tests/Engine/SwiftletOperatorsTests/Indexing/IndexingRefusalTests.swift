import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Rejections of gather and scatter operators")
struct IndexingRefusalTests {
  private static func update(_ data: [Int], _ update: [Int], start: Int) -> Probe {
    Probe(.dynamicUpdateSlice, [.floats(data), .floats(update), .of(.int32, [start])], [.floats()])
  }

  private static func gather(_ data: [Int], _ indices: [Int], axis: Int, batch: Int = 0) -> Probe {
    Probe(
      .gather, [.floats(data), .of(.int32, indices)], [.floats()],
      GatherOptions.with { [$0.axis(axis), $0.batchDimensions(batch)] })
  }

  private static func gatherND(_ data: [Int], _ indices: [Int]) -> Probe {
    Probe(.gatherND, [.floats(data), .of(.int32, indices)], [.floats()])
  }

  private static func bucketize(_ boundaries: [Float]) -> Probe {
    Probe(.bucketize, [.floats([2])], [.of(.int32)], BucketizeOptions.with { [$0.boundaries(boundaries)] })
  }

  private static let reading: [Refusal] = [
    Refusal("must have the rank of data", update([2, 3], [2], start: 2), but: update([2, 3], [2, 1], start: 2)),
    Refusal("be nowhere larger", update([2, 3], [3, 1], start: 2), but: update([2, 3], [2, 3], start: 2)),
    Refusal("be nowhere larger", update([2, 3], [1, 4], start: 2), but: update([2, 3], [0, 3], start: 2)),
    Refusal("must have one element for each axis", update([2, 3], [1, 1], start: 1)),
    Refusal("axis 2 is outside", gather([2, 3], [2], axis: 2), but: gather([2, 3], [2], axis: 1)),
    Refusal("axis -3 is outside", gather([2, 3], [2], axis: -3), but: gather([2, 3], [2], axis: -2)),
    Refusal(
      "1 batch axes are inconsistent", gather([2, 3], [2], axis: 0, batch: 1),
      but: gather([2, 3], [2], axis: 1, batch: 1)),
    Refusal("1 batch axes are inconsistent", gather([2, 3], [3, 2], axis: 1, batch: 1)),
    Refusal("2 batch axes are inconsistent", gather([2, 3, 4], [2], axis: 2, batch: 2)),
    Refusal(
      "-2 batch axes are inconsistent", gather([2, 3], [2], axis: 1, batch: -2),
      but: gather([2, 3], [2], axis: 1, batch: -1)),
    Refusal("both at least vectors", gatherND([], [1])),
    Refusal("both at least vectors", gatherND([2, 3], [])),
    Refusal("must not be longer than data", gatherND([2, 3], [1, 3]), but: gatherND([2, 3], [1, 2])),
    Refusal("has boundaries that are not ascending", bucketize([1, 0.5]), but: bucketize([1, 1])),
    Refusal("not ascending", bucketize([0, .nan]), but: bucketize([])),
  ]

  private static func lookup(_ numbers: [Int], _ table: ProbeTensor, to type: ElementType = .float32) -> Probe {
    Probe(.embeddingLookup, [.of(.int32, numbers), table], [.of(type)])
  }

  private static let codes = ProbeTensor.zeros(.int8, [2, 3])

  private static func sparse(
    numbers: [Int] = [2], places: [Int] = [2, 2], dense: [Int32] = [2, 3], weights: [Int] = [2], table: [Int] = [4, 5],
    combiner: Int = 0
  ) -> Probe {
    Probe(
      .embeddingLookupSparse,
      [.of(.int32, numbers), .of(.int32, places), .ints(dense), .floats(weights), .floats(table)], [.floats()],
      EmbeddingLookupSparseOptions.with { [$0.combiner(code: combiner)] })
  }

  private static func keyed(_ queries: [Int], _ keys: [Int], _ table: [Int]) -> Probe {
    Probe(.hashtableLookup, [.of(.int32, queries), .of(.int32, keys), .floats(table)], [.floats(), .of(.uint8)])
  }

  private static let words = "are inconsistent"
  private static let lookups: [Refusal] = [
    Refusal("must be a vector and table", lookup([1, 1], .floats([2, 3])), but: lookup([1], .floats([2, 3]))),
    Refusal("of rank 2 or more", lookup([1], .floats([2])), but: lookup([1], .floats([2, 1]))),
    Refusal("with zero point 0", lookup([1], codes)),
    Refusal(
      "with zero point 0", lookup([1], codes.scaled(0.5, 1)), but: lookup([1], codes.scaled(0.5))),
    Refusal(
      "must have one scale or one per row, got 3", lookup([1], codes.scaled([1, 2, 3], axis: 1)),
      but: lookup([1], codes.scaled([1, 2], axis: 0))),
    Refusal("got 2", lookup([1], ProbeTensor.zeros(.int8, [2, 2]).scaled([1, 2], axis: 1))),
    Refusal("has combiner 3; it must be 0, 1 or 2", sparse(combiner: 3), but: sparse(combiner: 2)),
    Refusal(words, sparse(numbers: [2, 1])),
    Refusal(words, sparse(numbers: [1]), but: sparse()),
    Refusal(words, sparse(places: [4])),
    Refusal(words, sparse(places: [2, 3])),
    Refusal(words, sparse(dense: [2, -1]), but: sparse(dense: [2, 0])),
    Refusal(words, sparse(weights: [1])),
    Refusal(words, sparse(table: [4]), but: sparse(table: [4, 1])),
    Refusal("must be vectors", keyed([1, 1], [2], [2, 3]), but: keyed([1], [2], [2, 3])),
    Refusal("must be vectors", keyed([1], [2, 1], [2, 3])),
    Refusal("one key for each row of table", keyed([1], [3], [2, 3]), but: keyed([1], [2], [2])),
  ]

  private static func oneHot(_ indices: [Int], depth: Int32, axis: Int, on: [Int] = [], off: [Int] = []) -> Probe {
    Probe(
      .oneHot, [.of(.int32, indices), .scalar(depth), .floats(on), .floats(off)], [.floats()],
      OneHotOptions.with { [$0.axis(axis)] })
  }

  private static func scatter(_ indices: [Int], _ updates: [Int], _ shape: [Int32]) -> Probe {
    Probe(.scatterND, [.of(.int32, indices), .floats(updates), .ints(shape)], [.floats()])
  }

  private static func dense(_ indices: [Int], _ shape: [Int32], _ values: [Int], absent: [Int] = []) -> Probe {
    Probe(.sparseToDense, [.of(.int32, indices), .ints(shape), .floats(values), .floats(absent)], [.floats()])
  }

  private static func segments(_ numbers: [Int32], rows: Int = 3) -> Probe {
    Probe(.segmentSum, [.floats([rows, 2]), .ints(numbers)], [.floats()])
  }

  private static func unsorted(_ data: [Int], _ numbers: [Int], _ count: Int32) -> Probe {
    Probe(.unsortedSegmentMax, [.floats(data), .of(.int32, numbers), .scalar(count)], [.floats()])
  }

  private static let placing: [Refusal] = [
    Refusal(
      "cannot add axis 3 of depth 2", oneHot([2, 2], depth: 2, axis: 3), but: oneHot([2, 2], depth: 2, axis: 2)),
    Refusal("cannot add axis -2", oneHot([2, 2], depth: 2, axis: -2), but: oneHot([2, 2], depth: 2, axis: -1)),
    Refusal("of depth -1", oneHot([2], depth: -1, axis: 0), but: oneHot([2], depth: 0, axis: 0)),
    Refusal("value 't2' float32[2] must contain one element", oneHot([2], depth: 2, axis: 0, on: [2])),
    Refusal(
      "value 't3' float32[2] must contain one element", oneHot([2], depth: 2, axis: 0, off: [2]),
      but: oneHot([2], depth: 2, axis: 0, on: [1], off: [1, 1])),
    Refusal("are inconsistent with shape [4]", scatter([2, 2], [2], [4]), but: scatter([2, 1], [2], [4])),
    Refusal("are inconsistent with shape [-1]", scatter([2, 1], [2], [-1])),
    Refusal(
      "are inconsistent with shape [4, 3]", scatter([2, 1], [2, 4], [4, 3]), but: scatter([2, 1], [2, 3], [4, 3])),
    Refusal("are inconsistent with shape [4]", scatter([2, 1], [3], [4])),
    Refusal("are inconsistent with shape [4]", scatter([], [], [4])),
    Refusal("are inconsistent with shape [4, 4]", dense([2], [4, 4], [2]), but: dense([2], [4], [2])),
    Refusal("are inconsistent with shape", dense([2, 2, 1], [4], [2])),
    Refusal("are inconsistent with shape", dense([2, 3], [4, 4], [2]), but: dense([2, 2], [4, 4], [2])),
    Refusal("are inconsistent with shape [-4]", dense([2], [-4], [2])),
    Refusal("must be one, or one for each of indices", dense([2], [4], [3]), but: dense([2], [4], [])),
    Refusal("must be one, or one for each", dense([], [4], [2]), but: dense([], [4], [1])),
    Refusal("and the default one element", dense([2], [4], [2], absent: [2]), but: dense([2], [4], [2], absent: [1])),
    Refusal("must be one for each row of data", segments([0, 0], rows: 3), but: segments([0, 0], rows: 2)),
    Refusal("must begin at 0 and go up by 0 or 1", segments([1, 1, 1])),
    Refusal("must begin at 0 and go up by 0 or 1", segments([0, 2, 2]), but: segments([0, 1, 2])),
    Refusal("must begin at 0 and go up by 0 or 1", segments([0, 1, 0]), but: segments([0, 1, 1])),
    Refusal("must begin at 0 and go up by 0 or 1", segments([-1, 0, 1])),
    Refusal("-1 of them, are inconsistent with data", unsorted([3, 2], [3], -1)),
    Refusal("are inconsistent with data", unsorted([3, 2], [2], 1), but: unsorted([3, 2], [3], 1)),
    Refusal("are inconsistent with data", unsorted([3, 2], [3, 2, 1], 1), but: unsorted([3, 2], [3, 2], 1)),
  ]

  private static func topK(_ shape: [Int], _ count: Int32, indices: ElementType = .int32) -> Probe {
    Probe(.topkV2, [.floats(shape), .scalar(count)], [.floats(), .of(indices)])
  }

  private static let selecting: [Refusal] = [
    Refusal("cannot take 4 elements of every row", topK([2, 3], 4), but: topK([2, 3], 3)),
    Refusal("cannot take 0 elements", topK([], 0), but: topK([2, 3], -1)),
    Refusal("are too long for indices", topK([32769], 1, indices: .int16), but: topK([32768], 1, indices: .int16)),
    Refusal("must have at least one axis", Probe(.whereNonzero, [.floats()], [.of(.int64)])),
    Refusal("must be a vector", Probe(.unique, [.floats([2, 2])], [.floats(), .of(.int32)])),
  ]

  @Test("inconsistent shapes and axes of the data", arguments: reading)
  func refusesReading(refusal: Refusal) { refusal.check() }

  @Test("inconsistent tables and numbers", arguments: lookups)
  func refusesLookups(refusal: Refusal) { refusal.check() }

  @Test("positions that are inconsistent with the output", arguments: placing)
  func refusesPlacing(refusal: Refusal) { refusal.check() }

  @Test("more elements than exist", arguments: selecting)
  func refusesSelecting(refusal: Refusal) { refusal.check() }

  @Test("a vector of more than four million elements isn't supported by UNIQUE")
  func refusesLongVectors() {
    func unique(_ count: Int) -> Probe { Probe(.unique, [.of(.int8, [count])], [.of(.int8), .of(.int32)]) }
    Refusal(
      "is longer than the limit of 4194304 elements", unique(1 << 22 + 1), but: unique(1 << 22), code: .limitExceeded,
      isUnread: true
    ).check()
  }
}

/// Indices that are known only at run time: the last valid one, and the two invalid ones next to the axis.
@Suite("Indices at the ends of an axis")
struct IndexLimitTests {
  private static func probe(_ kind: BuiltinOperator, _ index: Int32) -> (probe: Probe, size: Int)? {
    let indices = ProbeTensor.values([Int32(0), index])
    switch kind {
    case .gather:
      return (Probe(.gather, [.floats([3, 2]), indices], [.floats()], GatherOptions.with { [$0.axis(0)] }), 3)
    case .gatherND: return (Probe(.gatherND, [.floats([4, 3]), .values([Int32(0), index], [1, 2])], [.floats()]), 3)
    case .scatterND:
      return (
        Probe(.scatterND, [.values([Int32(0), index], [1, 2]), .floats([1]), .ints([2, 5])], [.floats()]), 5
      )
    case .embeddingLookup: return (Probe(.embeddingLookup, [indices, .floats([6, 1])], [.floats()]), 6)
    case .sparseToDense:
      return (Probe(.sparseToDense, [indices, .ints([4]), .floats([2]), .floats()], [.floats()]), 4)
    case .embeddingLookupSparse:
      return (
        Probe(
          .embeddingLookupSparse,
          [indices, .values([Int32(0), 0, 1, 0], [2, 2]), .ints([2, 2]), .floats([2]), .floats([3, 1])], [.floats()],
          EmbeddingLookupSparseOptions.with { [$0.combiner(.sum)] }), 3
      )
    default: return nil
    }
  }

  @Test(
    "the last index is accepted, and the next one and -1 are not",
    arguments: [
      .gather, .gatherND, .scatterND, .embeddingLookup, .sparseToDense, .embeddingLookupSparse,
    ] as [BuiltinOperator])
  func limits(kind: BuiltinOperator) throws {
    let size = try #require(Self.probe(kind, 0)).size
    #expect(throws: Never.self) { try Self.probe(kind, Int32(size - 1))?.probe.run() }
    for index in [Int32(size), -1] {
      let error: RuntimeError? = thrownError { try Self.probe(kind, index)?.probe.run() }
      #expect(error?.code == .invalidInput)
      #expect(
        error?.message.contains("index \(index), at position 1 of the indices, is outside of 0 ..< \(size)") == true)
    }
  }

  @Test("positions of a sparse lookup are inside the dense shape", arguments: [(1, true), (2, false), (-1, false)])
  func sparsePlaces(place: Int, isInside: Bool) {
    let probe = Probe(
      .embeddingLookupSparse,
      [
        .values([Int32(0), 1]), .values([Int32(0), 0, 0, Int32(place), 0, 0], [2, 3]), .ints([2, 2, 2]), .floats([2]),
        .floats([3, 1]),
      ], [.floats()], EmbeddingLookupSparseOptions.with { [$0.combiner(.sum)] })
    let error: RuntimeError? = thrownError { try probe.run() }
    #expect((error == nil) == isInside)
    #expect(isInside || error?.message.contains("index \(place)") == true)
  }

  @Test(
    "segment IDs are below the count, and rows with a negative ID are ignored", arguments: [1, 2, -5] as [Int32])
  func segments(number: Int32) throws {
    let probe = Probe(
      .unsortedSegmentSum, [.values([Float(1), 2, 3, 4], [2, 2]), .values([number, 0]), .scalar(2)], [.floats()])
    guard number < 2 else {
      let error: RuntimeError? = thrownError { try probe.run() }
      #expect(error?.code == .invalidInput)
      #expect(error?.message.contains("index 2, at position 0 of the indices, is outside of 0 ..< 2") == true)
      return
    }
    let expected: [Float] = number < 0 ? [3, 4, 0, 0] : [3, 4, 1, 2]
    #expect(try probe.run()[0].values() == expected)
  }

  @Test(
    "an update is moved inside the data", arguments: [(-4, 0), (0, 0), (1, 1), (2, 1), (9, 1)] as [(Int32, Int)])
  func movesUpdates(start: Int32, row: Int) throws {
    let probe = Probe(
      .dynamicUpdateSlice,
      [.values([Int32](repeating: 0, count: 6), [3, 2]), .values([Int32(1), 2], [2, 1]), .values([start, 1])],
      [.of(.int32)])
    var expected = [Int32](repeating: 0, count: 6)
    expected[2 * row + 1] = 1
    expected[2 * row + 3] = 2
    #expect(try probe.run()[0].values() == expected)
  }

  @Test(
    "an empty segment gives the neutral element",
    arguments: [
      (BuiltinOperator.unsortedSegmentSum, Float(0), Int32(0)),
      (.unsortedSegmentProd, 1, 1), (.unsortedSegmentMax, -Float.greatestFiniteMagnitude, Int32.min),
      (.unsortedSegmentMin, .greatestFiniteMagnitude, .max),
    ])
  func emptySegments(kind: BuiltinOperator, float: Float, integer: Int32) throws {
    let floats = Probe(kind, [.floats([1, 1]), .values([Int32(-1)]), .scalar(2)], [.floats()])
    #expect(try floats.run()[0].values() == [float, float])
    let integers = Probe(kind, [.of(.int32, [1, 1]), .values([Int32(-1)]), .scalar(2)], [.of(.int32)])
    #expect(try integers.run()[0].values() == [integer, integer])
  }
}
