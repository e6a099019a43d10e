/// The names of a model's classes as image segmentation tasks give them.
enum ClassNames {
  /// The names in the language that was asked for, and those of the label file where that language lacks one.
  static func labels(_ labels: [String], displayNames: [String]) -> [String] {
    guard labels.count == displayNames.count else { return labels }
    return zip(labels, displayNames).map { $1.isEmpty ? $0 : $1 }
  }
}
