public import Foundation

// Unchecked because a class that others inherit from cannot be checked: it and its subclasses, all in this module, have
// constants only.

/// A model that is not part of the app but downloaded when a `ModelManager` is asked to.
///
/// - Thread safety: callable concurrently.
public class RemoteModel: NSObject, @unchecked Sendable {
  /// What the model is called where it comes from.
  public let name: String
  let source: RemoteModelSource

  init(source: RemoteModelSource) {
    name = source.name
    self.source = source
  }
}

/// A model of the app's own, from a source of the app's choice.
public final class CustomRemoteModel: RemoteModel, @unchecked Sendable {
  /// - Parameter remoteModelSource: where the model comes from, such as a `URLModelSource`.
  public init(remoteModelSource: RemoteModelSource) {
    super.init(source: remoteModelSource)
  }
}
