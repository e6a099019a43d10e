/// Finds what was probably meant by a mistyped word.
package enum Suggestion {
  /// The candidate with the fewest edits to `word`, when they are few enough to be a slip.
  package static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
    let allowed = max(1, word.count / 3)
    let best = candidates.map { (name: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
    if let best, best.distance <= allowed { return best.name }
    return candidates.first { !word.isEmpty && $0.hasPrefix(word) }
  }

  /// Insertions, deletions, replacements and swaps of neighbours (restricted Damerau–Levenshtein distance).
  private static func distance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    var rows = [[Int]](repeating: [Int](repeating: 0, count: second.count + 1), count: first.count + 1)
    for i in 0...first.count { rows[i][0] = i }
    for j in 0...second.count { rows[0][j] = j }
    for i in 1..<(first.count + 1) {
      for j in 1..<(second.count + 1) {
        let cost = first[i - 1] == second[j - 1] ? 0 : 1
        rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + cost)
        if i > 1, j > 1, first[i - 1] == second[j - 2], first[i - 2] == second[j - 1] {
          rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
        }
      }
    }
    return rows[first.count][second.count]
  }
}
