package import Foundation
package import SwiftletModelStore

/// The store's own files, as another program could have left them.
package enum StoredFiles {
  /// Returns the record of a model at a path, or `nil` if it isn't a valid one.
  package static func record(atPath path: String) -> ModelRecord? { ModelFolder.record(atPath: path) }

  /// The names of the files in a model's directory.
  package static var names: (record: String, data: String) { (ModelFolder.recordName, ModelFolder.partialDataName) }

  /// Removes the least recently used models until all of them take at most `limit` bytes.
  package static func makeRoom(in directory: URL, limit: Int64) {
    var options = ModelStoreOptions(directory: directory)
    options.totalByteLimit = limit
    ModelCache(options: options, environment: StoreEnvironment())
      .makeRoom(keeping: ModelFolder(RemoteModel(name: "kept", url: directory), in: directory))
  }
}
