// Written as an app would write it: nothing but the facade is imported.
import Foundation
import MLKit

/// Names objects by a model on a server, and by one that is part of the app until that has been downloaded.
// Unchecked in place of what an app has: a view controller, which belongs to the main actor.
final class Naturalist: @unchecked Sendable {
  private let manager: ModelManager
  private let remoteModel: CustomRemoteModel
  private let localModel: LocalModel?
  private let localizer: LocalModel
  private(set) var downloadProgress: Progress?
  private(set) var events: [String] = []
  private var observers: [NSObjectProtocol] = []

  init(
    source: RemoteModelSource, localModel: LocalModel?, localizer: LocalModel,
    manager: ModelManager = ModelManager.modelManager()
  ) {
    self.manager = manager
    self.localModel = localModel
    self.localizer = localizer
    remoteModel = CustomRemoteModel(remoteModelSource: source)
  }

  deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

  /// To be called when the app starts.
  func startDownload() {
    let downloadConditions = ModelDownloadConditions(allowsCellularAccess: true, allowsBackgroundDownloading: true)
    downloadProgress = manager.download(remoteModel, conditions: downloadConditions)
  }

  func observe(then done: @escaping @Sendable () -> Void) {
    let name = remoteModel.name
    observers = [
      NotificationCenter.default.addObserver(forName: .mlkitModelDownloadDidSucceed, object: nil, queue: nil) {
        [weak self] notification in
        guard let strongSelf = self,
          let userInfo = notification.userInfo,
          let model = userInfo[ModelDownloadUserInfoKey.remoteModel.rawValue] as? RemoteModel,
          model.name == name
        else { return }
        strongSelf.events.append("downloaded")
        done()
      },
      NotificationCenter.default.addObserver(forName: .mlkitModelDownloadDidFail, object: nil, queue: nil) {
        [weak self] notification in
        guard let strongSelf = self,
          let userInfo = notification.userInfo,
          let model = userInfo[ModelDownloadUserInfoKey.remoteModel.rawValue] as? RemoteModel,
          model.name == name
        else { return }
        let error = userInfo[ModelDownloadUserInfoKey.error.rawValue] as? NSError
        strongSelf.events.append("failed: \(error?.code ?? 0)")
        done()
      },
    ]
  }

  /// `nil` as long as there is no model.
  func makeDetector() -> ObjectDetector? {
    var options: CustomObjectDetectorOptions!
    if manager.isModelDownloaded(remoteModel) {
      options = CustomObjectDetectorOptions(remoteModel: remoteModel)
    } else if let localModel = localModel {
      options = CustomObjectDetectorOptions(localModel: localModel)
    } else {
      return nil
    }
    options.detectorMode = .singleImage
    options.shouldEnableClassification = true
    options.classificationConfidenceThreshold = NSNumber(value: 0.0)
    options.maxPerObjectLabelCount = 3
    options.localizerModel = localizer
    options.modelManager = manager
    return ObjectDetector.objectDetector(options: options)
  }
}
