/// The options of everything that processes images: detectors, labelers, and segmenters. Create an instance of a
/// subclass. These options are additions to ML Kit's API.
open class CommonVisionOptions: NSObject {
  /// The maximum number of threads for a model, including the caller's.
  open var threadCount = 1
  /// The queue on which completion handlers are called. A command-line program that does not run its main queue must
  /// specify another one.
  open var completionQueue = DispatchQueue.main
  /// A Boolean value that indicates whether `results(in:)` throws an error on the main thread instead of blocking it.
  /// True by default on Apple's platforms. False elsewhere, because programs there use the main thread for work.
  open var strictMainThreadCheck = MainThread.isGuarded

  package override init() {}
}
