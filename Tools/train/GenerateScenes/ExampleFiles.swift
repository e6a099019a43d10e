import SwiftletSyntheticData

/// The NumPy files of audio and of sentences.
enum ExampleFiles {
  /// The maximum length of a sentence in UTF-8 bytes.
  static let maximumSentence = 128

  static func writeSounds(_ count: Int, seed: UInt64, to folder: String, _ progress: () -> Void) throws {
    var sounds = try ArrayFile("\(folder)/sounds.npy", .float32, shape: [count, SyntheticSound.sampleCount])
    var classes = try ArrayFile("\(folder)/classes.npy", .int32, shape: [count])
    for number in 0..<count {
      let sound = SyntheticSound(seed: seed, number: number)
      try sounds.append(sound.samples)
      try classes.append([Int32(sound.kind.rawValue)])
      progress()
    }
    try sounds.finish()
    try classes.finish()
  }

  static func writeSentences(_ count: Int, seed: UInt64, to folder: String, _ progress: () -> Void) throws {
    var sentences = try ArrayFile("\(folder)/sentences.npy", .uint8, shape: [count, maximumSentence])
    var classes = try ArrayFile("\(folder)/classes.npy", .int32, shape: [count])
    for number in 0..<count {
      let sentence = SyntheticSentence(seed: seed, number: number)
      let bytes = Array(sentence.text.utf8.prefix(maximumSentence))
      try sentences.append(bytes + [UInt8](repeating: 0, count: maximumSentence - bytes.count))
      try classes.append([Int32(sentence.topic.rawValue)])
      progress()
    }
    try sentences.finish()
    try classes.finish()
  }
}
