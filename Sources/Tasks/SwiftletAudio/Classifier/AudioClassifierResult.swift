public import SwiftletTasks

/// What an audio classifier returns for a clip.
public struct AudioClassifierResult: Sendable, Hashable {
  /// The categories of each window of the clip, in order, with the time at which the window begins in the clip.
  public var classificationResults: [ClassificationResult]

  /// The categories of a clip's windows.
  public init(classificationResults: [ClassificationResult]) { self.classificationResults = classificationResults }
}
