import Foundation

/// A catalog of third-party models and bundles by name: URLs, tasks, inputs, licenses, and the SHA-256 if it is known.
///
/// The models are Google's, from the pages of MediaPipe's tasks, from the files of MediaPipe's own tests (whose hashes
/// are published), and from TensorFlow Hub. The data is part of the package; nothing is fetched until a model is
/// downloaded.
public enum ModelCatalog {
  /// All models, by task. The recommended model of each task is first.
  public static let models: [PublishedModel] = rows.compactMap { row in
    guard let url = URL(string: host + row.path), let page = URL(string: row.page.address) else { return nil }
    return PublishedModel(
      name: row.name, task: row.task, summary: row.summary, input: row.input, license: row.license?.rawValue,
      page: page, url: url,
      sha256: row.sha256)
  }

  /// Returns the model with the given name.
  public static func model(named name: String) -> PublishedModel? { models.first { $0.name == name } }

  /// A license that a model card, or the metadata in the file, specifies.
  private enum License: String {
    case apache = "Apache-2.0"
  }

  /// A page that describes a model.
  private enum Page: String {
    // Model cards
    case shortRange = "MediaPipe%20BlazeFace%20Model%20Card%20(Short%20Range).pdf"
    case fullRange = "MediaPipe%20BlazeFace%20Model%20Card%20(Full%20Range).pdf"
    case hair = "Model%20Card%20-%20Hair%20Segmentation.pdf"
    case selfie = "Model%20Card%20MediaPipe%20Selfie%20Segmentation.pdf"
    case multiclass = "Model%20Card%20Multiclass%20Segmentation.pdf"
    // Task pages
    case objectDetector = "object_detector"
    case imageSegmenter = "image_segmenter"
    case imageEmbedder = "image_embedder"
    case imageClassifier = "image_classifier"
    case interactiveSegmenter = "interactive_segmenter"
    case handLandmarker = "hand_landmarker"
    case gestureRecognizer = "gesture_recognizer"
    case faceLandmarker = "face_landmarker"
    case poseLandmarker = "pose_landmarker"
    case holisticLandmarker = "holistic_landmarker"
    // TensorFlow Hub pages
    case mobileObjectLocalizer = "google/lite-model/object_detection/mobile_object_localizer_v1/1/default/1"

    var address: String {
      if rawValue.hasSuffix(".pdf") { return host + "mediapipe-assets/" + rawValue }
      if rawValue.hasPrefix("google/") { return "https://tfhub.dev/" + rawValue }
      return "https://ai.google.dev/edge/mediapipe/solutions/vision/\(rawValue)#models"
    }
  }

  private struct Row {
    var task: PublishedModel.Task
    var name: String
    var summary: String
    var input: PublishedModel.Input
    var license: License?
    var page: Page
    var path: String
    var sha256: String?

    init(
      _ task: PublishedModel.Task, _ name: String, _ summary: String, _ input: PublishedModel.Input,
      _ license: License?, _ page: Page,
      _ path: String, _ sha256: String? = nil
    ) {
      self.task = task
      self.name = name
      self.summary = summary
      self.input = input
      self.license = license
      self.page = page
      self.path = path
      self.sha256 = sha256
    }
  }

  private static let host = "https://storage.googleapis.com/"

  private static let rows: [Row] = [
    Row(
      .detectFaces, "blaze-face-short-range", "BlazeFace for faces within two meters of the camera, six keypoints",
      .floats(128, 128, .file), .apache, .shortRange,
      "mediapipe-models/face_detector/blaze_face_short_range/float16/1/blaze_face_short_range.tflite",
      "b4578f35940bf5a1a655214a1cce5cab13eba73c1297cd78e1a04c2380b0152f"),
    Row(
      .detectFaces, "face-detection-short-range",
      "BlazeFace for near faces, as MediaPipe's own tests use it, without metadata",
      .floats(128, 128, .file), .apache, .shortRange,
      "mediapipe-assets/modules/face_detection/face_detection_short_range.tflite",
      "3bc182eb9f33925d9e58b5c8d59308a760f4adea8f282370e428c51212c26633"),
    Row(
      .detectFaces, "face-detection-short-range-metadata", "BlazeFace for near faces, with metadata",
      .floats(128, 128, .assumed), .apache, .shortRange,
      "mediapipe-assets/tasks/testdata/vision/face_detection_short_range_with_metadata.tflite",
      "42012b078cc201e994674ac863862577279644f3ba405729ccd964f03e9f12d5"),
    Row(
      .detectFaces, "face-detection-full-range", "BlazeFace for faces up to five meters away, without metadata",
      .floats(192, 192, .file), .apache, .fullRange,
      "mediapipe-assets/modules/face_detection/face_detection_full_range.tflite",
      "99bf9494d84f50acc6617d89873f71bf6635a841ea699c17cb3377f9507cfec3"),
    Row(
      .detectFaces, "face-detection-full-range-metadata", "BlazeFace for faces up to five meters away, with metadata",
      .floats(192, 192, .assumed), .apache, .fullRange,
      "mediapipe-assets/tasks/testdata/vision/face_detection_full_range_with_metadata.tflite",
      "f5fd43a368d0eab9873f021eb741223a3e015759a46240a8dddf27af2def3f3e"),
    Row(
      .detectObjects, "efficientdet-lite0", "EfficientDet-Lite0 for the 80 classes of COCO",
      .floats(320, 320, .page), nil, .objectDetector,
      "mediapipe-models/object_detector/efficientdet_lite0/float32/1/efficientdet_lite0.tflite"),
    Row(
      .detectObjects, "efficientdet-lite0-int8", "EfficientDet-Lite0 in bytes: a quarter of the size",
      .bytes(320, 320, .assumed), nil, .objectDetector,
      "mediapipe-models/object_detector/efficientdet_lite0/int8/1/efficientdet_lite0.tflite"),
    Row(
      .detectObjects, "efficientdet-lite2", "EfficientDet-Lite2 for the 80 classes of COCO: more exact, slower",
      .floats(448, 448, .page), nil, .objectDetector,
      "mediapipe-models/object_detector/efficientdet_lite2/float32/1/efficientdet_lite2.tflite"),
    Row(
      .detectObjects, "coco-efficientdet-lite0-v1", "EfficientDet-Lite0 in bytes, as MediaPipe's own tests use it",
      .bytes(320, 320, .assumed), nil, .objectDetector,
      "mediapipe-assets/tasks/testdata/vision/coco_efficientdet_lite0_v1_1.0_quant_2021_09_06.tflite",
      "dee1b4af055a644804d5594442300ecc9e4f7080c25b7c044c98f527eeabb6cf"),
    Row(
      .detectObjects, "coco-ssd-mobilenet-v1", "SSD on MobileNet v1 for the 80 classes of COCO, in bytes",
      .bytes(300, 300, .file), .apache, .objectDetector,
      "mediapipe-assets/tasks/testdata/vision/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite",
      "61d598093ed03ed41aa47c3a39a28ac01e960d6a810a5419b9a5016a1e9c469b"),
    Row(
      .detectObjects, "mobile-object-localizer",
      "boxes of prominent objects of any kind, without names: the localizer of trackers and of ML Kit's detector",
      .bytes(192, 192, .file), .apache, .mobileObjectLocalizer,
      "tfhub-lite-models/google/lite-model/object_detection/mobile_object_localizer_v1/1/default/1.tflite",
      "82ebc4ac11dcf18619f68b083361f4d5bf9fa376351c769ecffedb128ef4d568"),
    Row(
      .segment, "deeplab-v3", "DeepLab v3 for the 21 classes of PASCAL VOC",
      .floats(257, 257, .page), nil, .imageSegmenter,
      "mediapipe-models/image_segmenter/deeplab_v3/float32/1/deeplab_v3.tflite"),
    Row(
      .segment, "deeplab-v3-test", "DeepLab v3 for the 21 classes of PASCAL VOC, as MediaPipe's own tests use it",
      .floats(257, 257, .assumed), nil, .imageSegmenter,
      "mediapipe-assets/tasks/testdata/vision/deeplabv3.tflite",
      "5faed2c653905d3e22a8f6f29ee198da84e9b0e7936a207bf431f17f6b4d87ff"),
    Row(
      .segment, "hair-segmenter", "hair and background",
      .floats(512, 512, .page), .apache, .hair,
      "mediapipe-models/image_segmenter/hair_segmenter/float32/1/hair_segmenter.tflite"),
    Row(
      .segment, "selfie-multiclass", "hair, skin, face, clothes and other things of a person, and background",
      .floats(256, 256, .page), .apache, .multiclass,
      "mediapipe-models/image_segmenter/selfie_multiclass_256x256/float32/1/selfie_multiclass_256x256.tflite"),
    Row(
      .segment, "selfie-segmenter", "a person before a background",
      .floats(256, 256, .page), .apache, .selfie,
      "mediapipe-models/image_segmenter/selfie_segmenter/float16/1/selfie_segmenter.tflite"),
    Row(
      .segment, "selfie-segmentation", "a person before a background, as MediaPipe's own tests use it",
      .floats(256, 256, .file), .apache, .selfie,
      "mediapipe-assets/modules/selfie_segmentation/selfie_segmentation.tflite",
      "8d13b7fae74af625c641226813616a2117bd6bca19eb3b75574621fc08557f27"),
    Row(
      .segment, "selfie-segmentation-landscape", "a person before a background, for wide images",
      .floats(256, 144, .page), .apache, .selfie,
      "mediapipe-assets/modules/selfie_segmentation/selfie_segmentation_landscape.tflite",
      "4aafe6223bb8dac6fac8ca8ed56852870a33051ef3f6238822d282a109962894"),
    Row(
      .segment, "magic-touch", "what a point or a scribble marks (--point, --scribble)",
      .floats(512, 512, .assumed), nil, .interactiveSegmenter,
      "mediapipe-assets/tasks/testdata/vision/magic_touch.tflite",
      "e24338a717c1b7ad8d159666677ef400babb7f33b8ad60c4d96db4ecf694cd25"),
    Row(
      .embed, "mobilenet-v3-small", "MobileNet v3 small: vectors that are near for images that are alike",
      .floats(224, 224, .page), nil, .imageEmbedder,
      "mediapipe-models/image_embedder/mobilenet_v3_small/float32/1/mobilenet_v3_small.tflite"),
    Row(
      .embed, "mobilenet-v3-large", "MobileNet v3 large: the same, more exact, slower",
      .floats(224, 224, .page), nil, .imageEmbedder,
      "mediapipe-models/image_embedder/mobilenet_v3_large/float32/1/mobilenet_v3_large.tflite"),
    Row(
      .embed, "mobilenet-v3-small-test", "MobileNet v3 small, as MediaPipe's own tests use it",
      .floats(224, 224, .assumed), nil, .imageEmbedder,
      "mediapipe-assets/tasks/testdata/vision/mobilenet_v3_small_100_224_embedder.tflite",
      "f7b9a563cb803bdcba76e8c7e82abde06f5c7a8e67b5e54e43e23095dfe79a78"),
    Row(
      .classify, "efficientnet-lite0", "EfficientNet-Lite0 for the 1000 classes of ImageNet",
      .floats(224, 224, .page), nil, .imageClassifier,
      "mediapipe-models/image_classifier/efficientnet_lite0/float32/1/efficientnet_lite0.tflite"),
    Row(
      .classify, "efficientnet-lite2", "EfficientNet-Lite2 for the 1000 classes of ImageNet: more exact, slower",
      .floats(260, 260, .assumed), nil, .imageClassifier,
      "mediapipe-models/image_classifier/efficientnet_lite2/float32/1/efficientnet_lite2.tflite"),
    Row(
      .classify, "mobilenet-v2", "MobileNet v2 for the classes of ImageNet",
      .floats(224, 224, .assumed), nil, .imageClassifier,
      "mediapipe-assets/tasks/testdata/vision/mobilenet_v2_1.0_224.tflite",
      "ff5cb7f9e62c92ebdad971f8a98aa6b3106d82a64587a7787c6a385c9e791339"),
    Row(
      .classify, "mobilenet-v1-quarter", "MobileNet v1, a quarter as wide, for the classes of ImageNet",
      .floats(224, 224, .file), .apache, .imageClassifier,
      "mediapipe-assets/tasks/testdata/vision/mobilenet_v1_0.25_224_1_metadata_1.tflite",
      "348cc1221740b9fe1f609c964eff5bf09650bda76341c30aa27800b3da6171f4"),
    Row(
      .classify, "mobilenet-v1-quarter-int8", "MobileNet v1, a quarter as wide, in bytes",
      .bytes(224, 224, .file), .apache, .imageClassifier,
      "mediapipe-assets/tasks/testdata/vision/mobilenet_v1_0.25_224_quant.tflite",
      "e480eb15572f86d3d5f1be6e83e35b3c7d509ab2bcec353707d1f614e14edca2"),
    Row(
      .classify, "mobile-object-labeler", "631 kinds of things, for crops of detected objects",
      .bytes(224, 224, .file), .apache, .imageClassifier,
      "mediapipe-assets/modules/image_classification/mobile_object_labeler_v1.tflite",
      "9400671e04685f5277edd3052a311cc51533de9da94255c52ebde1e18484c77c"),
    Row(
      .landmarkHands, "hand-landmarker", "21 points of each hand, in the image and in meters",
      .floats(192, 192, .assumed), nil, .handLandmarker,
      "mediapipe-models/hand_landmarker/hand_landmarker/float16/1/hand_landmarker.task"),
    Row(
      .landmarkHands, "hand-landmarker-test", "the same, as MediaPipe's own tests use it",
      .floats(192, 192, .assumed), nil, .handLandmarker,
      "mediapipe-assets/tasks/testdata/vision/hand_landmarker.task",
      "32d1eab97e80a9a20edb29231e15301ce65abfd0fa9d41cf1757e0ecc8078a4e"),
    Row(
      .recognizeGestures, "gesture-recognizer", "seven gestures of hands, and their points",
      .floats(192, 192, .assumed), nil, .gestureRecognizer,
      "mediapipe-models/gesture_recognizer/gesture_recognizer/float16/1/gesture_recognizer.task"),
    Row(
      .recognizeGestures, "gesture-recognizer-test", "the same, as MediaPipe's own tests use it",
      .floats(192, 192, .assumed), nil, .gestureRecognizer,
      "mediapipe-assets/tasks/testdata/vision/gesture_recognizer.task",
      "d48562f535fd4ecd3cfea739d9663dd818eeaf6a8afb1b5e6f8f4747661f73d9"),
    Row(
      .landmarkFaces, "face-landmarker", "478 points of each face, expressions and the head's place",
      .floats(128, 128, .assumed), nil, .faceLandmarker,
      "mediapipe-models/face_landmarker/face_landmarker/float16/1/face_landmarker.task"),
    Row(
      .landmarkFaces, "face-landmarker-v2-test", "478 points of each face, as MediaPipe's own tests use it",
      .floats(128, 128, .assumed), nil, .faceLandmarker,
      "mediapipe-assets/tasks/testdata/vision/face_landmarker_v2.task",
      "af23fc7c1ff21d034deaa2b7fc1d56bb670ce69a4cbdc9579b6f1afd680835f4"),
    Row(
      .landmarkFaces, "face-landmarker-v2-blendshapes-test", "the same with expressions",
      .floats(128, 128, .assumed), nil, .faceLandmarker,
      "mediapipe-assets/tasks/testdata/vision/face_landmarker_v2_with_blendshapes.task",
      "b261925d4aad812b47a0e8d58c1baa1223270a5d1f663d78338bc881c003879d"),
    Row(
      .landmarkPoses, "pose-landmarker-lite", "33 points of each body: the fastest of three",
      .floats(224, 224, .assumed), nil, .poseLandmarker,
      "mediapipe-models/pose_landmarker/pose_landmarker_lite/float16/1/pose_landmarker_lite.task"),
    Row(
      .landmarkPoses, "pose-landmarker-full", "33 points of each body: more exact, slower",
      .floats(224, 224, .assumed), nil, .poseLandmarker,
      "mediapipe-models/pose_landmarker/pose_landmarker_full/float16/1/pose_landmarker_full.task"),
    Row(
      .landmarkPoses, "pose-landmarker-heavy", "33 points of each body: the most exact, the slowest",
      .floats(224, 224, .assumed), nil, .poseLandmarker,
      "mediapipe-models/pose_landmarker/pose_landmarker_heavy/float16/1/pose_landmarker_heavy.task"),
    Row(
      .landmarkPoses, "pose-landmarker-test", "33 points of each body, as MediaPipe's own tests use it",
      .floats(224, 224, .assumed), nil, .poseLandmarker,
      "mediapipe-assets/tasks/testdata/vision/pose_landmarker.task",
      "fb9cc326c88fc2a4d9a6d355c28520d5deacfbaa375b56243b0141b546080596"),
    Row(
      .landmarkHolistic, "holistic-landmarker", "body, hands and face of one person",
      .floats(224, 224, .assumed), nil, .holisticLandmarker,
      "mediapipe-models/holistic_landmarker/holistic_landmarker/float16/1/holistic_landmarker.task"),
    Row(
      .landmarkHolistic, "holistic-landmarker-test", "the same, as MediaPipe's own tests use it",
      .floats(224, 224, .assumed), nil, .holisticLandmarker,
      "mediapipe-assets/tasks/testdata/vision/holistic_landmarker.task",
      "e2dab61191e2dcd0a15f943d8e3ed1dce13c82dfa597b9dd39f562975a50c3f8"),
  ]
}

extension PublishedModel.Input {
  fileprivate static func floats(_ width: Int, _ height: Int, _ source: PublishedModel.Source) -> Self {
    .init(width: width, height: height, type: "float32", source: source)
  }

  fileprivate static func bytes(_ width: Int, _ height: Int, _ source: PublishedModel.Source) -> Self {
    .init(width: width, height: height, type: "uint8", source: source)
  }
}
