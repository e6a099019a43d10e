public import SwiftletTasks

/// How sound is classified.
public struct AudioClassifierOptions: Sendable, Hashable, ClassChoosing {
  /// The model and how it is run.
  public var baseOptions: BaseOptions
  /// How sound comes to the task.
  public var runningMode: AudioRunningMode
  /// The language of display names, for models that have them: `en`, `de`, …
  public var displayNamesLocale: String
  /// The most classes reported per output of the model, 1 or more; `nil` for all.
  public var maxResults: Int?
  /// Classes with a lower score are left out. A threshold in the model's metadata is not used, as in MediaPipe.
  public var scoreThreshold: Float
  /// When not empty, only these category names are reported.
  public var categoryAllowlist: [String]
  /// These category names are not reported. Not together with an allow list.
  public var categoryDenylist: [String]

  /// Options; what is not given has its default.
  public init(
    baseOptions: BaseOptions, runningMode: AudioRunningMode = .audioClips, displayNamesLocale: String = "en",
    maxResults: Int? = nil, scoreThreshold: Float = 0, categoryAllowlist: [String] = [], categoryDenylist: [String] = []
  ) {
    self.baseOptions = baseOptions
    self.runningMode = runningMode
    self.displayNamesLocale = displayNamesLocale
    self.maxResults = maxResults
    self.scoreThreshold = scoreThreshold
    self.categoryAllowlist = categoryAllowlist
    self.categoryDenylist = categoryDenylist
  }
}
