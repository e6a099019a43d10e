/// Finds what was probably meant by a mistyped word.
package enum Suggestion {
  /// The candidate with the fewest edits to `word`, when they are few enough to be a slip; else the first that begins
  /// with the word, or holds it. Capitals do not count.
  package static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
    let typed = Array(word.lowercased())
    guard !typed.isEmpty else { return nil }
    let allowed = max(1, typed.count / 3)
    var best: (name: String, distance: Int)?
    var beginning: String?, holding: String?
    for candidate in candidates {
      let lowercased = candidate.lowercased()
      let letters = Array(lowercased)
      if letters.isEmpty { continue }
      if beginning == nil, letters.starts(with: typed) { beginning = candidate }
      if holding == nil, typed.count > 2, lowercased.contains(String(typed)) { holding = candidate }
      // No fewer edits than letters too many or too few: and a word of any length costs nothing.
      guard abs(letters.count - typed.count) <= allowed else { continue }
      let distance = distance(typed, letters)
      if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name ?? beginning ?? holding
  }

  /// Insertions, deletions, replacements and swaps of neighbours (restricted Damerau–Levenshtein distance).
  private static func distance(_ first: [Character], _ second: [Character]) -> Int {
    var beforeLast = [Int](repeating: 0, count: second.count + 1)
    var last = Array(0...second.count)
    for i in 1..<(first.count + 1) {
      var row = [i] + [Int](repeating: 0, count: second.count)
      for j in 1..<(second.count + 1) {
        let cost = first[i - 1] == second[j - 1] ? 0 : 1
        row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
        if i > 1, j > 1, first[i - 1] == second[j - 2], first[i - 2] == second[j - 1] {
          row[j] = min(row[j], beforeLast[j - 2] + 1)
        }
      }
      beforeLast = last
      last = row
    }
    return last[second.count]
  }
}
