package import Foundation

/// The store's own files as others may have left them: what it makes of them can be tried without a download.
package enum StoredFiles {
  /// The record of a model at `path`, or `nil` when it is none to rely on.
  package static func record(atPath path: String) -> ModelRecord? { ModelFolder.record(atPath: path) }

  /// The names of the files in the folder of a model.
  package static var names: (record: String, data: String) { (ModelFolder.recordName, ModelFolder.partialDataName) }

  /// Removes what has not been used for longest until the folders of all models in `directory` take at most `limit`
  /// bytes.
  package static func makeRoom(in directory: URL, limit: Int64) {
    var options = ModelStoreOptions(directory: directory)
    options.totalByteLimit = limit
    let kept = CustomRemoteModel(remoteModelSource: URLModelSource(name: "kept", url: directory))
    ModelCache(options: options, environment: StoreEnvironment()).makeRoom(keeping: ModelFolder(kept, in: directory))
  }
}
