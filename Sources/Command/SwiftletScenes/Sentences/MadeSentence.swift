/// An English sentence that was put together from a seed, and what it is about.
package struct MadeSentence: Sendable {
  package let topic: SentenceTopic
  package let text: String

  /// What may stand before and behind any sentence.
  private static let beginnings = [
    "yesterday", "today", "tomorrow", "this morning", "I think", "they say that", "as always", "at last",
    "on Sunday",
  ]
  private static let endings = [
    "again", "with my sister", "I hear", "once more", "they said", "and we waited", "for the first time", "this year",
  ]

  /// The sentence of this number of those that a seed stands for.
  ///
  /// - Parameters:
  ///   - number: each sentence can be made without those before it.
  ///   - topic: what it is about; `nil` for any of the topics, each as likely as the others.
  package init(seed: UInt64, number: Int, topic: SentenceTopic? = nil) {
    var generator = SplitMix64(seed: seed, part: UInt64(truncatingIfNeeded: number))
    let drawn = generator.one(of: SentenceTopic.allCases)
    self.topic = topic ?? drawn
    var parts = generator.one(of: self.topic.patterns).map { generator.one(of: $0) }
    if generator.happens(0.4) { parts.insert(generator.one(of: Self.beginnings), at: 0) }
    if generator.happens(0.4) { parts.append(generator.one(of: Self.endings)) }
    let words = parts.joined(separator: " ")
    // Some people write without capitals and full stops.
    let isPlain = generator.happens(0.3)
    text =
      isPlain
      ? words.lowercased() : words.prefix(1).uppercased() + words.dropFirst() + generator.one(of: [".", ".", ".", "!"])
  }
}
