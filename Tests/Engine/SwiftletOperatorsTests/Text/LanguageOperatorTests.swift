import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("NGramHash")
struct NGramHashTests {
  private func hashes(
    _ text: String, lengths: [Int32] = [1], sizes: [Int32] = [1_000_000], _ more: [String: FlexMap.Value] = [:],
    options: RuntimeOptions = RuntimeOptions()
  ) throws -> Tensor {
    var graph = TestGraph()
    let input = graph.input(.string, [1])
    let map = ["ngram_lengths": .ints(lengths), "vocab_sizes": .ints(sizes)].merging(more) { $1 }
    graph.add(custom: "NGramHash", [input], [graph.output(.int32, [])], options: FlexMap.bytes(map))
    return try graph.session(options: options).run([try Tensor(strings: [text], shape: [1])])[0]
  }

  @Test("returns a hash for every n-gram at every character, including the boundary characters")
  func shape() throws {
    let result = try hashes("ab", lengths: [1, 2, 9], sizes: [10, 20, 30])
    #expect(result.shape == [1, 3, 4])
    let numbers: [Int32] = try result.values()
    #expect(numbers[..<4].allSatisfy { (1...10).contains($0) } && numbers[4..<8].allSatisfy { (1...20).contains($0) })
    // The last sequence is only the end marker, whatever the length.
    let same = try hashes("ab", lengths: [1, 2], sizes: [1_000_000, 1_000_000]).values() as [Int32]
    #expect(same[3] == same[7] && same[0] != same[4])
  }

  @Test("lowercases letters of all scripts, unless disabled, and treats all else as spaces")
  func characters() throws {
    func numbers(_ text: String, _ more: [String: FlexMap.Value] = [:]) throws -> [Int32] {
      try hashes(text, more).values()
    }
    #expect(try numbers("AÉЖΣ你") == numbers("aéжσ你"))
    #expect(try numbers("a1_!\n😀\u{301}") == numbers("a      "))
    let kept: [String: FlexMap.Value] = ["lowercase_input": .bool(false)]
    #expect(try numbers("A", kept) != numbers("a", kept) && numbers("a", kept) == numbers("A"))
    // Letters that were added to Unicode after the models were trained.
    #expect(try numbers("\u{10C80}\u{1E900}") == numbers("  "))
    #expect(try numbers("\u{130}\u{13A0}") == numbers("i\u{13A0}"))
  }

  @Test("only uses the first characters, as limited by the options")
  func most() throws {
    #expect(try hashes(String(repeating: "a", count: 1000)).shape == [1, 1, 128])
    #expect(try hashes("abcdef", ["max_splits": .int(4)]).shape == [1, 1, 4])
    #expect(try hashes("abcdef", ["max_splits": .int(1)]).shape == [1, 1, 2])
    #expect(try hashes("").shape == [1, 1, 2])
  }

  @Test("another seed gives other hashes")
  func seeds() throws {
    let (one, other): ([Int32], [Int32]) = (try hashes("abc").values(), try hashes("abc", ["seed": .int(1)]).values())
    #expect(one != other)
  }

  @Test("hashes of texts of every length differ, and match an independent implementation")
  func murmur() {
    let bytes = (0..<40).map { UInt8(truncatingIfNeeded: $0 * 7) }
    #expect(Set((0...40).map { MurmurHash.of(bytes[..<$0], seed: 3) }).count == 41)
    // Computed by a Python implementation.
    #expect(MurmurHash.of(ArraySlice("hello".utf8), seed: 0) == 0x1E68_D17C_457B_F117)
    #expect(MurmurHash.of(ArraySlice("hello, world".utf8), seed: 42) == 0x5984_E69C_8643_9B72)
  }

  @Test("rejects invalid options")
  func refuses() {
    for attempt: () throws -> Tensor in [
      { try hashes("a", lengths: [], sizes: []) }, { try hashes("a", lengths: [1], sizes: [1, 2]) },
      { try hashes("a", lengths: [0]) }, { try hashes("a", sizes: [0]) }, { try hashes("a", sizes: [-4]) },
      { try hashes("a", ["max_splits": .int(0)]) },
    ] {
      let error = #expect(throws: RuntimeError.self) { try attempt() }
      #expect(error?.code == .invalidModel && error?.location?.operatorName == "NGramHash")
    }
  }

  @Test("rejects more sequences than a run may process")
  func limits() {
    var options = RuntimeOptions()
    options.limits.runWork = .milliseconds(1)
    let error = #expect(throws: RuntimeError.self) {
      try hashes(
        String(repeating: "a", count: 10_000), lengths: [5000], ["max_splits": .int(10_000)], options: options)
    }
    #expect(error?.code == .limitExceeded)
  }
}

@Suite("KmeansEmbeddingLookup")
struct KmeansEmbeddingLookupTests {
  private func lookup(
    _ numbers: [Int32], shape: [Int]? = nil, encodings: [UInt8] = [0, 0, 0, 1, 2, 1],
    codes: [Float] = [1, 2, 3, 5, 7, 9],
    codeShape: [Int] = [3, 2], threads: Int = 1
  ) throws -> [Float] {
    var graph = TestGraph()
    let input = graph.input(.int32, shape ?? [1, numbers.count])
    graph.add(
      custom: "KmeansEmbeddingLookup",
      [input, graph.constant(encodings, shape: [encodings.count / 2, 2]), graph.constant(codes, shape: codeShape)],
      [graph.output(.float32, [])])
    return try graph.session(options: RuntimeOptions(threads: threads)).run([
      try Tensor(numbers, shape: Shape(shape ?? [1, numbers.count]))
    ])[0].values()
  }

  @Test("is the mean of the vectors up to the first 0")
  func mean() throws {
    // Row 1 has the codes 0 and 1, row 2 the codes 2 and 1.
    #expect(try lookup([1]) == [1, 2, 3, 5])
    #expect(try lookup([1, 2, 0, 2], threads: 2) == [4, 5.5, 3, 5])
    #expect(try lookup([0, 1]) == [0, 0, 0, 0])
  }

  @Test("rejects indices and codes outside their tables")
  func outside() {
    for (numbers, encodings) in [([3], nil), ([-1], nil), ([1], [0, 0, 3, 1])] as [([Int32], [UInt8]?)] {
      let error = #expect(throws: RuntimeError.self) {
        try lookup(numbers, encodings: encodings ?? [0, 0, 0, 1, 2, 1])
      }
      #expect(error?.code == .invalidInput && error?.location?.operatorName == "KmeansEmbeddingLookup")
    }
  }

  @Test("rejects unsupported shapes")
  func shapes() {
    for attempt: () throws -> [Float] in [
      { try lookup([1, 1], shape: [2, 1]) }, { try lookup([1], shape: [1]) }, { try lookup([1], codeShape: [6]) },
    ] {
      #expect(throws: RuntimeError.self) { try attempt() }
    }
  }
}
