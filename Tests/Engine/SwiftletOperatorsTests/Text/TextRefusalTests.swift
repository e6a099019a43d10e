import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Rejections and limits of text operators")
struct TextRefusalTests {
  private static func clusters(_ numbers: [Int], _ encodings: ProbeTensor, _ codebook: [Int], values: [Int32]? = nil)
    -> Probe
  {
    Probe(
      custom: "KmeansEmbeddingLookup",
      [values.map { ProbeTensor.values($0, numbers) } ?? .of(.int32, numbers), encodings, .floats(codebook)],
      [.floats()])
  }

  private static func codes(_ shape: [Int]) -> ProbeTensor { .zeros(.uint8, shape) }

  private static func project(
    _ seeds: [Int], _ features: [Int], weights: [Int]? = nil, type: Int = 1
  ) -> Probe {
    var inputs: [ProbeTensor] = [.floats(seeds), .of(.int32, features)]
    if let weights { inputs.append(.floats(weights)) }
    return Probe(.lshProjection, inputs, [.of(.int32)], LSHProjectionOptions.with { [$0.type(code: type)] })
  }

  private static let rank = "takes numbers [1, n], encodings and a codebook of rank 2"
  private static let refusals: [Refusal] = [
    Refusal(rank, clusters([3], codes([4, 2]), [5, 6]), but: clusters([1, 3], codes([4, 2]), [5, 6])),
    Refusal(rank, clusters([2, 3], codes([4, 2]), [5, 6])),
    Refusal(rank, clusters([1, 3], codes([8]), [5, 6])),
    Refusal(rank, clusters([1, 3], codes([4, 2]), [5])),
    Refusal(
      "index 4, at position 1", clusters([1, 2], codes([4, 2]), [5, 6], values: [3, 4]),
      but: clusters([1, 2], codes([4, 2]), [5, 6], values: [3, 3]), code: .invalidInput),
    Refusal(
      "index -1, at position 0", clusters([1, 2], codes([4, 2]), [5, 6], values: [-1, 4]),
      but: clusters([1, 2], codes([4, 2]), [5, 6], values: [0, 9]), code: .invalidInput),
    Refusal(
      "index 5, at position 0 of the indices, is outside of 0 ..< 5",
      clusters([1, 1], .constant([UInt8(0), 5], [2, 1]), [5, 6], values: [1]),
      but: clusters([1, 1], .constant([UInt8(0), 4], [2, 1]), [5, 6], values: [1]), code: .invalidInput),
    Refusal(
      "must be sparse (1) or dense (2), got 0", project([2, 3], [1], type: 0), but: project([2, 3], [1], type: 1)),
    Refusal(
      "must be sparse (1) or dense (2), got 3", project([2, 3], [1], type: 3), but: project([2, 3], [1], type: 2)),
    Refusal("takes seeds of rank 2 for at most 32 bits", project([2], [1])),
    Refusal("at most 32 bits", project([1, 33], [1]), but: project([1, 32], [1])),
    Refusal("takes one feature or more", project([1, 3], [])),
    Refusal("takes one feature or more", project([1, 3], [0, 2]), but: project([1, 3], [1, 2])),
    Refusal(
      "takes a weight for each feature", project([1, 3], [2], weights: [1]), but: project([1, 3], [2], weights: [2])),
    Refusal("takes a weight for each feature", project([1, 3], [2], weights: [2, 1])),
  ]

  @Test("inconsistent tables, features, and weights", arguments: refusals)
  func refuses(refusal: Refusal) { refusal.check() }

  private static func hashing(_ options: [String: FlexMap.Value]) -> Probe {
    Probe(
      custom: "NGramHash", [.of(.string, [1])], [.of(.int32)],
      FlexMap.bytes(["ngram_lengths": .ints([2]), "vocab_sizes": .ints([9])].merging(options) { $1 }))
  }

  private static let hashes: [Refusal] = [
    Refusal("requires ngram_lengths and the same number of vocab_sizes", hashing(["ngram_lengths": .ints([])])),
    Refusal("requires ngram_lengths and the same number of vocab_sizes", hashing(["ngram_lengths": .ints([1, 2])])),
    Refusal("got [0] and [9]", hashing(["ngram_lengths": .ints([0])]), but: hashing(["ngram_lengths": .ints([1])])),
    Refusal("got [2] and [0]", hashing(["vocab_sizes": .ints([0])]), but: hashing(["vocab_sizes": .ints([1])])),
    Refusal("got [2] and [-1]", hashing(["vocab_sizes": .ints([-1])]), but: hashing(["vocab_sizes": .ints([.max])])),
    Refusal(
      "has max_splits 0; it must be positive", hashing(["max_splits": .int(0)]), but: hashing(["max_splits": .int(1)])),
  ]

  @Test("invalid lengths and sizes of sequences", arguments: hashes)
  func refusesHashes(refusal: Refusal) {
    let error: RuntimeError? = thrownError { try refusal.refused.compile() }
    #expect(error?.code == .invalidModel)
    #expect(error?.message.contains(refusal.words) == true)
    guard let accepted = refusal.accepted else { return }
    #expect(throws: Never.self) { _ = try accepted.compile() }
  }

  /// Hashed sequences, compared with the hashes of texts that consist of only that sequence.
  @Test("a sequence ends with the text, where only shorter sequences follow")
  func lastSequences() throws {
    func numbers(_ text: String, _ length: Int32) throws -> [Int32] {
      let model = Probe(
        custom: "NGramHash", [.of(.string, [1])], [.of(.int32)],
        FlexMap.bytes(["ngram_lengths": .ints([length]), "vocab_sizes": .ints([1 << 30])]))
      return try Session(try model.compile()).run([try Tensor(strings: [text], shape: [1])])[0].values()
    }
    // ^ a b c d $
    let long = try numbers("abcd", 3)
    #expect(long.count == 6)
    func hash(_ text: String) -> Int32 {
      Int32(truncatingIfNeeded: MurmurHash.of(Array(text.utf8)[...], seed: 0) % (1 << 30)) + 1
    }
    #expect(long == ["^ab", "abc", "bcd", "cd$", "d$", "$"].map(hash))
    #expect(try numbers("abcd", 6) == ["^abcd$", "abcd$", "bcd$", "cd$", "d$", "$"].map(hash))
    #expect(try numbers("abcd", 7) == numbers("abcd", 6))
    #expect(try numbers("abcd", 1) == ["^", "a", "b", "c", "d", "$"].map(hash))
    // Two bytes per letter.
    #expect(try numbers("Éß", 2) == ["^é", "éß", "ß$", "$"].map(hash))
  }

  @Test("the text is the first of several strings, and there must be one")
  func firstText() throws {
    func run(_ texts: [String]) throws -> Tensor {
      var probe = Self.hashing([:])
      probe.inputs = [.of(.string, [texts.count])]
      return try Session(try probe.compile()).run([try Tensor(strings: texts, shape: [texts.count])])[0]
    }
    #expect(try run(["ab", "xyz"]) == run(["ab"]))
    let error: RuntimeError? = thrownError { try run([]) }
    #expect(error?.code == .invalidModel)
    #expect(error?.message == "takes a text, got none")
  }

  @Test("a mean covers the indices before the first 0")
  func means() throws {
    // Two blocks of three numbers; code 0 is (1, 2, 3), code 1 (10, 20, 30).
    func lookup(_ numbers: [Int32]) throws -> [Float] {
      try Probe(
        custom: "KmeansEmbeddingLookup",
        [
          .values(numbers, [1, numbers.count]), .constant([0, 0, 0, 1, 1, 1] as [UInt8], [3, 2]),
          .constant([1, 2, 3, 10, 20, 30] as [Float], [2, 3]),
        ], [.floats()]
      ).run()[0].values()
    }
    #expect(try lookup([1]) == [1, 2, 3, 10, 20, 30])
    #expect(try lookup([1, 2]) == [5.5, 11, 16.5, 10, 20, 30])
    #expect(try lookup([1, 2, 0, 2, 2]) == [5.5, 11, 16.5, 10, 20, 30])
    #expect(try lookup([0, 1]) == [Float](repeating: 0, count: 6))
    #expect(try lookup([2, 2, 1, 1]) == lookup([1, 2]))
  }

  @Test("words are separated by every kind of whitespace", arguments: [" ", "\t", "\n", "\u{B}", "\u{C}", "\r"])
  func whiteSpace(space: String) {
    #expect(
      SkipGramOperator.words(Array("ab\(space)c\(space)\(space)d".utf8)).map { Array($0) } == [
        Array("ab".utf8), Array("c".utf8), Array("d".utf8),
      ])
  }

  @Test("bytes next to whitespace aren't whitespace", arguments: [0x08, 0x0E, 0x1F, 0x21] as [UInt8])
  func otherBytes(byte: UInt8) {
    #expect(SkipGramOperator.words([0x61, byte, 0x62]).count == 1)
  }
}
